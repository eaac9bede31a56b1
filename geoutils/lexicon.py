"""The words by which a response is read: answer markers, verbs of claiming, units, connectors.

Plain data for `geoutils.clauses` and `geoutils.parsing`, in the languages that models answer in. Words are lower
case, after `geoutils.normalise.fold`.
"""

from __future__ import annotations

import re


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


DEGREES = _words(
    "deg degs degree degrees grad grade grados grado degré degrés gradi graus grau graden graad stopni grader градус",
    "градусов градуса градусы 度 도 درجة درجات डिग्री अंश derece derajat độ stupňů astetta fok μοίρες grade",
)
RADIANS = _words(
    "rad rads radian radians radiant radianti radianes radiano radianos radianen bogenmaß радиан радиана радианов",
    "弧度 ラジアン 라디안 راديان रेडियन radyan",
)
PERCENT = _words("percent pct prozent procent procenti porcentaje porcento процентов процента процент")
LENGTHS = _words(
    "cm mm m km dm in inch inches ft foot feet yd yard yards mi mile miles unit units u meter meters metre metres",
    "centimeter centimeters centimetre centimetres millimeter millimeters millimetre millimetres kilometer",
    "kilometers square squared sq cubic cubed area length cms mms einheiten unités unidades unità unidades см м мм км",
    "ед единиц 平方 厘米 米 平方厘米 单位 cm2 m2 mm2 सेमी सेंटीमीटर 센티미터 단위 سم وحدة quadratzentimeter eenheden",
)

# a value after one of these is the subject's value
CLAIMS = _words(
    "is are be equals equal was becomes become measures measure gives give yields yield get gets obtain has have",
    "ist sind beträgt ergibt lautet gleich hat misst mißt est sont vaut mesure donne égale font es son mide vale",
    "igual è sono vale misura dà é são mede dá is bedraagt är er blir wynosi jest równa равен равна равно",
    "равны составляет это je jsou adalah là bằng имеет 是 为 為 等于 等於 は が = 은 는 هو هي يساوي है equals: find found leaves rounds make получаем получим находим имеем",
    "obtient trouve obtenons trouvons obtiene obtenemos erhalten erhält otteniamo obtemos obtém הוא היא שווה כי כו คือ เท่ากับ",
    "computed calculate total totals reads comes works remains sums sits stands settle settled contains needs",
    "say think guess conclude estimate costs cost takes requires να είναι ισούται ισούνται eşittir este egyenlő lika it's that's makes تساوي تبلغ يبلغ",
)
COPULAS = _words(
    "is are be equals equal was becomes ist sind beträgt lautet est sont vaut es son è sono vale é são är er",
    "равен равна равно adalah là 是 为 為 等于 は 은 는 هو है",
)
NEGATIONS = _words(
    "not isn't isnt never aren't wasn't neither no nicht kein keine pas non no não niet inte ikke nie не 不 不是 아니라 ليس नहीं",
    "cannot can't couldn't",
)
NEGATION_FILLERS = _words(
    "is are be the a an equal equals to exactly just simply answer really quite correctly correct it that of il le la el",
    "die der das es est ist только es er sie",
)
INSTEAD = re.compile(r"(?:rather than|instead of|statt|au lieu de|en lugar de|as opposed to|вместо)\s{0,3}\W*$", re.I)
REJECTED = re.compile(
    r"^\W{0,6}(?:cm|mm|m|units?|°)?\W{0,6}(?:is|was|isn't|would be|seems|looks|cannot|can't|ist|est|es|не)\s{0,3}"
    r"(?:clearly |obviously |actually |definitely |just |also )?"
    r"(?:not\b|wrong|incorrect|too (?:small|large|big|high|low)|impossible|false|be (?:right|correct)|nicht|pas|falsch|faux)"
    r"|^\W*is(?:n't| not)|^\W*(?:is|was) (?:a |the )?(?:mistake|typo|wrong)|^\W*n'est pas|^\W*no es\b|^\W*не ",
    re.I,
)

# the clause that follows one of these is a reason or a condition, not the answer
REASONS = _words(
    "because since as where if when given from using while whereas after whenever provided unless although though",
    "against versus compared without besides except despite via by",
    "weil da denn wobei wenn falls parce puisque car où si lorsque porque ya pues donde cuando si perché poiché dove",
    "porque pois onde omdat want als want потому так поскольку где если 因为 因為 由于 如果",
)
OPENERS = _words(
    "because since as if when given where with using from for let suppose assume assuming consider while although",
    "weil da wenn falls puisque comme si como dado porque poiché siccome как поскольку если 因为 由于 如果 若",
)
ASSUMPTIONS = _words("let suppose assume consider given denote say put sei seien soit soient sea sean sia siano 设 設 пусть")
CONCLUSIONS = _words(
    "so therefore thus hence giving gives but consequently accordingly finally then altogether overall ergo yielding",
    "making leaving also daher somit deshalb folglich aber donc alors ainsi mais entonces luego así pero quindi dunque",
    "pertanto ma logo portanto então mas dus daarom maar следовательно значит поэтому итак но sino sondern а 而是 所以 因此 故 则 たがって",
    "따라서 그러므로 इसलिए إذن therefore → dlatego więc men derfor altså så därför jadi maka vậy",
)
LISTING = _words("and or und oder et ou y o e ed och og en и или 和 或 または と 또는 그리고 و أو और या & to bis nor")
ALTERNATIVES = _words("or oder ou o или 或 または 또는 أو या nor either")
CLAIM_ENDINGS = ("は", "が", "是", "为", "為", "은", "는", "이", "가", "等于", "等於", "有", "得", "共", "约", "約", "คือ", "เท่ากับ", "て", "여", "서")
FINAL_VERBS = _words("है हैं होगा dir dır dur dür tir tır tur tür beträgt ist sind misst です である だ 입니다 이다 আছে")
MIDWAY = re.compile(r",?\s{0,3}(?:or\s{1,3})?(?:more\s{1,3}precisely|to\s{1,3}be\s{1,3}(?:exact|precise)|more\s{1,3}exactly|genauer)\b[\s,:]*|(?:[-,;.(—\s]|\.\.\.)\s{0,3}(?:wait|no|hmm|sorry|scratch\s{1,3}that|correction|i\s{1,3}mean|oops|actually)\b\s{0,3}[,:;—-]+\s{0,3}(?:no,\s{0,3})?", re.I)
RANGE_BEHIND = re.compile(r"\s{0,3}(?:\w+\s{1,3})?(?:or|und|and)\s{1,3}(?:more|less|fewer|greater|larger|higher|above|below|mehr|weniger)\b", re.I)
HEARSAY = re.compile(
    r"\b(?:some(?:\s{1,3}(?:people|students|might|may|would|say))|many\s{1,3}(?:people|students)|people|students|common\s{1,3}mistake|tempting|might\s{1,3}(?:say|think|guess|believe)|one\s{1,3}(?:might|may|could)\s{1,3}(?:say|think))\b",
    re.I,
)
DENIED = re.compile(r"^[^.\n]{0,24}\bbut\s{1,3}(?:this|that|it)(?:\s{1,3}is|'s)\s{1,3}(?:wrong|incorrect|not|false|a\s{1,3}mistake)", re.I)
PRECISION_WORDS = _words("decimal decimals significant digit digits places dp sf dezimalstellen nachkommastellen décimales chiffres decimales cifras")
HEDGES = _words("maybe perhaps possibly else even probably vielleicht peut-être quizás")
MINUS = _words("minus negative moins menos минус meno マイナス 负 負 ऋण सالب سالب")
QUANTITIES = _words(
    "area length value distance perimeter volume angle total radius diameter measure height width ratio probability sum",
    "circumference slope hypotenuse side altitude median answer result size magnitude product difference count number",
)
ABOUT = _words(
    "about approximately approx roughly around circa ca nearly almost ungefähr etwa rund environ aproximadamente",
    "numerically decimally circa approssimativamente ongeveer около примерно приблизительно 约 約 大约 およそ 약 حوالي लगभग say precisely exactly",
)
THAT_IS = _words("i.e ie namely equivalently aka alias")
RANGES = re.compile(
    r"(?:at least|at most|or equal to|more than|less than|greater than|fewer than|smaller than|larger than|bigger than|no more than|up to"
    r"|exceeds|mindestens|höchstens|au moins|au plus|al menos|как минимум|≥|≤|<|(?<![-=])>)\s{0,3}\(?\s{0,3}$",
    re.I,
)
BETWEEN = re.compile(r"\b(?:between|from|zwischen|von|entre|de|tra|fra|между|от)\b[\w\s]{0,20}$", re.I)
LABELS = _words(
    "option case step choice part figure fig question problem exercise equation eq line section theorem lemma method",
    "attempt page table column row example item answer candidate scenario fall schritt teil abbildung cas étape caso paso",
    "parte figura passo шаг случай 选项 图 步骤 variant version level phase stage approach way solution # no number note see",
)
CASES = re.compile(r"\b(?:first|second|one|other|either)\s{1,3}case\b|\bcases?\s{1,3}[12]\b", re.I)
REASON_STARTS = ("因为", "因為", "由于", "由於")
BOTH = re.compile(r"\b(?:both|either)\s{1,3}(?:-?\d|√)", re.I)
LISTS = re.compile(r"\b(?:one of|either|any of|among|both|respectively|eines von|l'un des|uno de)\b", re.I)

_EN = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
SMALL = {word: value for value, word in enumerate(_EN)}
TENS = {w: 10 * (i + 2) for i, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8,
    "ninth": 9, "ninths": 9, "tenth": 10, "tenths": 10, "twelfth": 12, "twelfths": 12,
}  # fmt: skip
FOREIGN = {
    "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
    "zehn": 10, "elf": 11, "zwölf": 12, "zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60,
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11,
    "douze": 12, "quinze": 15, "vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60,
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
    "once": 11, "doce": 12, "veinte": 20, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60,
    "два": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "восемь": 8, "девять": 9, "десять": 10,
    "двенадцать": 12, "двадцать": 20, "тридцать": 30, "сорок": 40,
}  # fmt: skip
TENS_DE = {"zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70, "achtzig": 80, "neunzig": 90}
UNITS_DE = {"ein": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9}
HAN_ENDINGS = ("です", "である", "だ", "厘米", "平方", "个", "度", "cm", "米", "。", "입", "도")
HAN = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
HAN_SCALES = {"十": 10, "百": 100, "千": 1000}

_MARKER_NOUNS = (
    r"final\s{1,3}answer|final\s{1,3}result|final\s{1,3}value|correct\s{1,3}answer|answer|ans|antwort|endergebnis|ergebnis|lösung|réponse(?:\s{1,3}finale)?|résultat"
    r"|respuesta(?:\s{1,3}final)?|resultado|risposta|risultato|resposta(?:\s{1,3}final)?|antwoord|svaret|svar|vastaus|odpowiedź|odpověď|výsledek|"
    r"ответ|відповідь|відповідь|отговор|απάντηση|cevap|yanıt|jawaban(?:nya)?|đáp\s{1,3}án|đáp\s{1,3}số|válasz|răspuns(?:ul)?"
)
_MARKER_CJK = r"最终答案|最終答案|正确答案|正確答案|答案|答え|正解|答|정답|최종\s{0,3}답|답|الإجابة(?:\s{1,3}النهائية)?|الجواب|النتيجة|अंतिम\s{1,3}उत्तर|उत्तर|जवाब|תשובה|คำตอบ|উত্তর"
MARKER = re.compile(rf"####|(?<![\w\\])(?:{_MARKER_NOUNS})(?!\w)|{_MARKER_CJK}", re.I)
# what may stand between the noun and its value
MARKER_LINK = re.compile(
    r"(?P<pre>[^\n.;:=?!\d√π]{0,80}?)"
    r"(?P<link>\s{0,3}[*_`\"']{0,4}\s{0,3}(?::|=|≈|→|->|=>|—|–)\s{0,3}[*_`\"']{0,4}"
    r"|(?<!\w)(?:is|was|are|equals|becomes|would\s{1,3}be|should\s{1,3}be|must\s{1,3}be|will\s{1,3}be|comes\s{1,3}(?:out\s{1,3})?to|works\s{1,3}out\s{1,3}(?:to|as)|turns\s{1,3}out\s{1,3}to\s{1,3}be|as|be|isn't|ist|lautet|beträgt|est|vaut|es|è|é|är|er|равен|равна|равно|adalah|là|је|is\s{1,3}dus|είναι|este)(?!\w)"
    r"|\s{0,3},\s{0,3}(?=[-−]?[\d√π$(])|\s{0,3}(?:是|为|為|は|が|은|는|이|هي|هو|है|:)\s{0,3})",
    re.I,
)
NOT_MARKERS = re.compile(
    r"(?:unable\s{1,3}to|cannot|can't|can\s{1,3}not|couldn't|could\s{1,3}not|not|to|no|don't\s{1,3}have\s{1,3}an?|without\s{1,3}an?|official|reference|gold|"
    r"key|truth|expected|your|sample|example|wrong|guess|an|any|please|then|intermediate|previous|earlier|first|his|her|their)\s{1,3}(?:final\s{1,3}|correct\s{1,3})?$",
    re.I,
)
GRADER_TALK = re.compile(
    r"\b(?:official|answer\s{1,3}key|reference\s{1,3}(?:answer|value|solution)|grader|graders|grading|score\s{0,3}[=:]|verdict|give\s{1,3}(?:me\s{1,3})?(?:full\s{1,3})?credit|mark\s{1,3}(?:this|it|my)"
    r"|ground\s{1,3}truth|gold|the\s{1,3}grade|rubric|evaluator)\b|\bexpected\s{0,3}:",
    re.I,
)
RETRACTION = re.compile(
    r"\b(?:wait|actually|correction|corrected|correcting|scratch\s{1,3}that|hold\s{1,3}on|oops|my\s{1,3}mistake|i\s{1,3}(?:made|forgot|mis\w+)|on\s{1,3}second\s{1,3}thou?ght"
    r"|that(?:'s| is| was)\s{1,3}(?:wrong|incorrect|not\s{1,3}right|not\s{1,3}correct)|is\s{1,3}(?:wrong|incorrect)|sorry|no,|strike\s{1,3}that|in\s{1,3}fact|but\s{1,3}(?:the|it|actually|really)|redo(?:ing)?|moment mal|halt|attends|espera)\b",
    re.I,
)
WRONG = re.compile(r"\b(?:wrong|incorrect|mistaken?|not\s{1,3}right|not\s{1,3}correct|scratch\s{1,3}that|strike\s{1,3}that|oops|error)\b", re.I)
CONFIRMED = re.compile(r"\b(?:yes|correct|confirmed|confirms|holds|matches|indeed|checks\s{1,3}out|consistent|stands|fine|right)\b", re.I)
REFUSAL = re.compile(
    r"\b(?:i\s{0,3}(?:'m|\s{1,3}am)\s{1,3}(?:sorry|unable|not\s{1,3}able)|i\s{1,3}(?:cannot|can't|can\s{1,3}not|won't|am\s{1,3}unable\s{1,3}to|do\s{1,3}not\s{1,3}have|don't\s{1,3}have)\b|as\s{1,3}an\s{1,3}ai|unable\s{1,3}to"
    r"|cannot\s{1,3}(?:be\s{1,3})?(?:determined?|answer|solve|help|assist|view|see)|can't\s{1,3}(?:be\s{1,3}determined|answer|solve|help|see|view)|not\s{1,3}enough\s{1,3}information|impossible\s{1,3}to\s{1,3}(?:determine|find|compute|say|tell|solve)"
    r"|insufficient\s{1,3}information|i\s{1,3}don't\s{1,3}know|no\s{1,3}puedo|lo\s{1,3}siento|je\s{1,3}ne\s{1,3}peux\s{1,3}pas|désolé|leider|ich\s{1,3}kann\s{1,3}[^.]{0,60}nicht|não\s{1,3}posso|не\s{1,3}могу|извините)|无法|無法|抱歉|对不起|できません|할\s{0,3}수\s{0,3}없|لا\s{1,3}أستطيع|عذر",
    re.I,
)
NEXT_QUESTION = re.compile(
    r"\n[\s>*#_\-]{0,12}(?:next\s{1,3}|new\s{1,3})?(?:question|problem|exercise|q|human|user|instruction|input|aufgabe|frage|pregunta|pergunta|domanda|问题|問題|题目|질문|вопрос|задача)"
    r"[*_]*\s{0,3}(?:\d{1,3}\s{0,3})?[*_]*\s{0,3}[:.：)]|\n#{1,4}\s{0,3}(?:question|problem|exercise|task)\s{1,3}\d{1,3}\s{0,3}\n|\n\s{0,12}<\|?(?:user|im_start|im_end|endoftext|eot_id|end)\|?>|\n\s{0,12}\[INST\]",
    re.I,
)
AFTERWORD = re.compile(
    r"(?:(?<=[\s{0,3}#_(])|^)(?:explanation|breakdown|details?|reasoning|justification|rationale|check|checking|verification|verify|proof|note|steps|working|why"
    r"|here's\s{1,3}(?:why|how)|here\s{1,3}is\s{1,3}(?:why|how|the\s{1,3}(?:reasoning|explanation))|begründung|erklärung|probe|explication|vérification|explicación|comprobación|spiegazione|verifica|explicação|пояснение|проверка|объяснение|解释|验证|解説|検算|설명|검산)"
    r"\s{0,3}[*_]*\s{0,3}[:：\n]",
    re.I,
)
_COMMA_WORDS = (
    r"ist|sind|das|der|eine|beträgt|antwort|ergebnis|fläche|länge|winkel|lösung|und|réponse|résultat|est|vaut|donc|aire|longueur|respuesta|resultado"
    r"|es|área|longitud|risposta|risultato|è|lunghezza|resposta|comprimento|antwoord|het|oppervlakte|lengte|svar|svaret|är|længden|vastaus|pinta-ala"
    r"|odpowiedź|wynosi|pole|odpověď|výsledek|je|cevap|alan|jawaban|luas|đáp|bằng|là|válasz|terület|răspuns|aria|απάντηση|εμβαδόν|razem|lautet|länge|igual|vale|mede|mide"
)
COMMA_WORD = re.compile(rf"(?<!\w)(?:{_COMMA_WORDS})(?!\w)|[а-яёіїєґ]{{3}}", re.I)
DOT_EVIDENCE = re.compile(r"(?<![\d.,])(?:\d+\.(?:\d{1,2}|\d{4,})|0\.\d+)(?![\d,]|\.\d)")
