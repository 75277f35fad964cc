import { scenarioSchema } from '../../src/scenario/schema/scenario-schema.ts';

/** docs/scenario.schema.json. `npx vitest run --project unit test/docs.test.ts -u` writes it. */
export const makeScenarioSchema = (): string =>
  `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'A kadmit scenario',
      ...withMarkdown(scenarioSchema),
    },
    null,
    2,
  )}\n`;

/** Editors show `markdownDescription` with its code in code, and `patternErrorMessage` for a text of the wrong form. */
function withMarkdown(node: unknown): object {
  if (typeof node !== 'object' || node === null) throw new TypeError('a schema is an object');
  return Object.fromEntries(Object.entries(node).flatMap(([keyword, value]) => entriesFor(keyword, value)));
}

const nested = new Set(['items', 'additionalProperties']);
const named = new Set(['properties', 'definitions']);

type Entries = readonly (readonly [keyword: string, value: unknown])[];

function entriesFor(keyword: string, value: unknown): Entries {
  if (keyword === 'patternDescription') return [['patternErrorMessage', `must be ${String(value)}`]];
  if (keyword === 'description') return descriptions(String(value));
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
