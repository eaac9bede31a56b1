"""Problems as small programs: exact numbers, statements, grammar, proofs, figures."""
