// The Common Expression Language, after the grammar in the CEL language definition (cel-spec doc/langdef.md).
//
// Two things are part of the contract beside the language itself, because syntax errors show them to people:
// the ORDER of the tokens (it is the order in "expecting {...}") and their NAMES (NUM_INT, IDENTIFIER ...).
// src/cel/grammar/generated is made from this file by `node test/tools/generate-cel-parser.mjs`.
grammar CEL;

start
    : root=expr EOF
    ;

expr
    : condition=disjunction (question='?' truthy=disjunction ':' falsy=expr)?
    ;

disjunction
    : terms+=conjunction (operators+='||' terms+=conjunction)*
    ;

conjunction
    : terms+=relation (operators+='&&' terms+=relation)*
    ;

relation
    : calc
    | relation operator=('<' | '<=' | '>=' | '>' | '==' | '!=' | 'in') relation
    ;

calc
    : unary
    | calc operator=('*' | '/' | '%') calc
    | calc operator=('+' | '-') calc
    ;

unary
    : member                         # plain
    | (operators+='!')+ member       # logicalNot
    | (operators+='-')+ member       # negate
    ;

member
    : primary                                                         # memberPrimary
    | member operator='.' (optional='?')? field=fieldName             # select
    | member operator='.' name=IDENTIFIER open='(' arguments=expressions? ')'  # memberCall
    | member operator='[' (optional='?')? key=expr ']'                # index
    ;

primary
    : leadingDot='.'? name=IDENTIFIER                                 # identifier
    | leadingDot='.'? name=IDENTIFIER (operator='(' arguments=expressions? ')')  # globalCall
    | '(' inner=expr ')'                                              # nested
    | operator='[' elements=listElements? ','? ']'                    # createList
    | operator='{' entries=mapEntries? ','? '}'                       # createMap
    | leadingDot='.'? names+=IDENTIFIER (dots+='.' names+=IDENTIFIER)*
        operator='{' entries=fieldEntries? ','? '}'                   # createStruct
    | literal                                                         # constant
    ;

expressions
    : items+=expr (',' items+=expr)*
    ;

listElements
    : items+=optionalExpr (',' items+=optionalExpr)*
    ;

fieldEntries
    : fields+=optionalField colons+=':' values+=expr (',' fields+=optionalField colons+=':' values+=expr)*
    ;

optionalField
    : (optional='?')? fieldName
    ;

mapEntries
    : keys+=optionalExpr colons+=':' values+=expr (',' keys+=optionalExpr colons+=':' values+=expr)*
    ;

fieldName
    : name=IDENTIFIER                # plainField
    | name=ESC_IDENTIFIER            # escapedField
    ;

optionalExpr
    : (optional='?')? item=expr
    ;

literal
    : sign=MINUS? token=NUM_INT      # int
    | token=NUM_UINT                 # uint
    | sign=MINUS? token=NUM_FLOAT    # double
    | token=STRING                   # string
    | token=BYTES                    # bytes
    | token=CEL_TRUE                 # boolTrue
    | token=CEL_FALSE                # boolFalse
    | token=NUL                      # null
    ;

EQUALS : '==';
NOT_EQUALS : '!=';
IN : 'in';
LESS : '<';
LESS_EQUALS : '<=';
GREATER_EQUALS : '>=';
GREATER : '>';
LOGICAL_AND : '&&';
LOGICAL_OR : '||';
LBRACKET : '[';
RBRACKET : ']';
LBRACE : '{';
RBRACE : '}';
LPAREN : '(';
RPAREN : ')';
DOT : '.';
COMMA : ',';
MINUS : '-';
EXCLAM : '!';
QUESTIONMARK : '?';
COLON : ':';
PLUS : '+';
STAR : '*';
SLASH : '/';
PERCENT : '%';
CEL_TRUE : 'true';
CEL_FALSE : 'false';
NUL : 'null';

fragment BACKSLASH : '\\';
fragment LETTER : 'A'..'Z' | 'a'..'z';
fragment DIGIT : '0'..'9';
fragment EXPONENT : ('e' | 'E') ('+' | '-')? DIGIT+;
fragment HEXDIGIT : DIGIT | 'a'..'f' | 'A'..'F';
fragment RAW : 'r' | 'R';

fragment ESC_SEQ
    : ESC_CHAR_SEQ
    | ESC_BYTE_SEQ
    | ESC_UNI_SEQ
    | ESC_OCT_SEQ
    ;

fragment ESC_CHAR_SEQ : BACKSLASH ('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '"' | '\'' | '\\' | '?' | '`');
fragment ESC_OCT_SEQ : BACKSLASH ('0'..'3') ('0'..'7') ('0'..'7');
fragment ESC_BYTE_SEQ : BACKSLASH ('x' | 'X') HEXDIGIT HEXDIGIT;
fragment ESC_UNI_SEQ
    : BACKSLASH 'u' HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT
    | BACKSLASH 'U' HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT
    ;

WHITESPACE : ('\t' | ' ' | '\r' | '\n' | '\u000C')+ -> channel(HIDDEN);
COMMENT : '//' (~'\n')* -> channel(HIDDEN);

NUM_FLOAT
    : (DIGIT+ ('.' DIGIT+) EXPONENT?)
    | (DIGIT+ EXPONENT)
    | ('.' DIGIT+ EXPONENT?)
    ;

NUM_INT
    : (DIGIT+ | '0x' HEXDIGIT+)
    ;

NUM_UINT
    : DIGIT+ ('u' | 'U')
    | '0x' HEXDIGIT+ ('u' | 'U')
    ;

STRING
    : '"' (ESC_SEQ | ~('\\' | '"' | '\n' | '\r'))* '"'
    | '\'' (ESC_SEQ | ~('\\' | '\'' | '\n' | '\r'))* '\''
    | '"""' (ESC_SEQ | ~('\\'))*? '"""'
    | '\'\'\'' (ESC_SEQ | ~('\\'))*? '\'\'\''
    | RAW '"' ~('"' | '\n' | '\r')* '"'
    | RAW '\'' ~('\'' | '\n' | '\r')* '\''
    | RAW '"""' .*? '"""'
    | RAW '\'\'\'' .*? '\'\'\''
    ;

BYTES : ('b' | 'B') STRING;

IDENTIFIER : (LETTER | '_') (LETTER | DIGIT | '_')*;
ESC_IDENTIFIER : '`' (LETTER | DIGIT | '_' | '.' | '-' | '/' | ' ')+ '`';
