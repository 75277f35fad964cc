import { stringify } from 'yaml';
import { scenarioSchema } from '../../src/testing/scenario/schema/scenario-schema.ts';

/** docs/reference/scenario.schema.json. `npx vitest run --project unit test/testing/scenario/docs.test.ts -u` writes it. */
export const makeScenarioSchema = (): string =>
  `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...withMarkdown(scenarioSchema),
    },
    null,
    2,
  )}\n`;

/**
 * Editors show `markdownDescription` with its code in code, `patternErrorMessage` for a text of the wrong form, and offer
 * `defaultSnippets`. They would write a `default` into every new mapping, so it is only part of the description.
 */
function withMarkdown(node: unknown): object {
  if (typeof node !== 'object' || node === null) throw new TypeError('a schema is an object');
  const { default: value, ...rest } = node as Readonly<Record<string, unknown>>;
  const described =
    value === undefined
      ? rest
      : {
          ...(typeof value === 'object' || typeof value === 'boolean' ? {} : { examples: [value] }),
          ...rest,
          description: withDefault(rest['description'], value),
        };
  return Object.fromEntries(Object.entries(described).flatMap(([keyword, content]) => entriesFor(keyword, content)));
}

const withDefault = (description: unknown, value: unknown): string =>
  `${typeof description === 'string' ? `${description} ` : ''}Default: \`${flow(value)}\`.`;

/** In YAML, on one line. */
const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', flowCollectionPadding: true, lineWidth: 0 }).trim();

const nested = new Set(['items', 'additionalProperties']);
const named = new Set(['properties', 'definitions']);

type Entries = readonly (readonly [keyword: string, value: unknown])[];

function entriesFor(keyword: string, value: unknown): Entries {
  if (keyword === 'otherForms') return [];
  if (keyword === 'patternDescription') return [['patternErrorMessage', `must be ${String(value)}`]];
  if (keyword === 'description') return descriptions(String(value));
  if (keyword === 'examples' && Array.isArray(value)) return examples(value);
  if (keyword === 'anyOf' && Array.isArray(value)) return [[keyword, value.map(withMarkdown)]];
  if (typeof value !== 'object' || value === null) return [[keyword, value]];
  if (nested.has(keyword)) return [[keyword, withMarkdown(value)]];
  if (!named.has(keyword)) return [[keyword, value]];
  return [[keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withMarkdown(one)]))]];
}

function descriptions(text: string): Entries {
  if (text === '') return [];
  const plain = ['description', text.replaceAll('`', '')] as const;
  return text.includes('`') ? [plain, ['markdownDescription', text]] : [plain];
}

/** Editors know texts and numbers as examples, and mappings and lists as snippets only. */
function examples(values: readonly unknown[]): Entries {
  const isPlain = (value: unknown): boolean => typeof value !== 'object';
  const plain = values.filter(isPlain);
  const bodies = values.filter((value) => !isPlain(value));
  return [
    ...(plain.length > 0 ? [['examples', plain] as const] : []),
    ...(bodies.length > 0 ? [['defaultSnippets', bodies.map((body) => ({ label: flow(body), body }))] as const] : []),
  ];
}
