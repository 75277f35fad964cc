import type { FieldReader, Fields, StructPath } from '../apimachinery/decode-fields.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import { parseQuery } from './query/parse.ts';
import { runQuery } from './query/run.ts';

/** What an expression makes of an object; [] for nothing. */
export type Ask = (object: JsonValue) => readonly JsonValue[];

/** Compiles CEL over the variable `self`; what fails has no value. */
export type CompileCel = (
  expression: string,
) => { readonly outcome: 'compiled'; readonly ask: Ask } | { readonly outcome: 'wrong'; readonly error: string };

/** Reads what a Stage says, and remembers what is wrong with it. */
export interface StageReader {
  readonly fields: FieldReader;
  readonly compileCel: CompileCel;
  /** `at`: the path of the field. */
  readonly fault: (at: string, problem: string) => void;
}

export function readQuery(reader: StageReader, source: string, at: string): Ask {
  const reading = parseQuery(source);
  if (reading.outcome === 'read') return (object) => runQuery(reading.query, object);
  reader.fault(at, reading.error);
  return () => [];
}

export function readCel(reader: StageReader, source: string, at: string): Ask {
  const compiling = reader.compileCel(source);
  if (compiling.outcome === 'compiled') return compiling.ask;
  reader.fault(at, compiling.error);
  return () => [];
}

/** `expressionFrom`, `jq` or `cel`; undefined where nothing is said. */
export function readExpression(reader: StageReader, from: Fields, path: string): Ask | undefined {
  const place: StructPath = { struct: 'ExpressionFrom', path };
  reader.fields.only(from, ['expressionFrom', 'jq', 'cel'], path);
  const cel = reader.fields.object(from, 'cel', place, 'ExpressionCEL');
  const jq = reader.fields.object(from, 'jq', place, 'ExpressionJQ');
  const inCel = reader.fields.text(cel, 'expression', { struct: 'ExpressionCEL', path: `${path}.cel` });
  if (inCel !== '') return readCel(reader, inCel, `${path}.cel.expression`);
  const inJq =
    reader.fields.text(jq, 'expression', { struct: 'ExpressionJQ', path: `${path}.jq` }) ||
    reader.fields.text(from, 'expressionFrom', place);
  return inJq === '' ? undefined : readQuery(reader, inJq, path);
}
