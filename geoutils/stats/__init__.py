"""Intervals, tests and resampling for right/wrong answers given to the same problems.

Every function works on counts or arrays, knows nothing of files or models, and returns what it cannot
compute as ``nan`` (never as 0 or 1). The sub-modules:

- :mod:`~geoutils.stats.proportions`: intervals of one share
- :mod:`~geoutils.stats.paired`: two answers to the same problems (McNemar, intervals, Holm, equivalence)
- :mod:`~geoutils.stats.permutation`: Cochran's Q and the accuracy gap with their exact nulls
- :mod:`~geoutils.stats.resampling`: the bootstrap over problems, shared by all models and statistics
- :mod:`~geoutils.stats.agreement`: agreement beyond chance
- :mod:`~geoutils.stats.repeats`: several answers to the same statement
"""
