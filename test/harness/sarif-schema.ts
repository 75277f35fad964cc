import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/**
 * Errors of a log against the published schema of SARIF 2.1.0 (OASIS, errata 01), which is stored without its descriptions.
 */
export function sarifProblems(log: unknown): readonly string[] {
  validate ??= compileSchema();
  if (validate(log)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

let validate: ReturnType<typeof compileSchema> | undefined;

const compileSchema = () => {
  const schema = JSON.parse(readFileSync(new URL('sarif-2.1.0.schema.json', import.meta.url), 'utf8'));
  const reference = (text: string): boolean => URL.canParse(text, 'https://base/') && !/[\s<>"{}|\\^`]/.test(text);
  return new Ajv({
    strict: false,
    formats: { uri: (text) => URL.canParse(text), 'uri-reference': reference, 'date-time': true },
  }).compile(schema);
};
