import { type LintObject, lintObjectsAt } from '../../analysis/lint/model/lint-object.ts';
import { asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import type { Scenario } from '../../testing/scenario/format.ts';
import { checkSchema } from '../../testing/scenario/read/check-schema.ts';
import { type Located, readLocated } from '../../testing/scenario/read/located.ts';
import { createProblems, type NamedFiles, type Problem } from '../../testing/scenario/read/problems.ts';
import { readScenario } from '../../testing/scenario/read/scenario.ts';
import type { PlaygroundTab, PlaygroundTexts } from './protocol.ts';

export interface TextsReading {
  /** undefined after a problem. */
  readonly scenario: Scenario | undefined;
  readonly objects: readonly LintObject[];
  /** Errors of YAML. */
  readonly syntax: readonly Problem[];
  /** What is no scenario. */
  readonly schema: readonly Problem[];
}

/** Reads the texts as the parts of one scenario, whose places name the tab as the file. */
export async function readTexts(texts: PlaygroundTexts, files: NamedFiles): Promise<TextsReading> {
  const [syntax, schema] = [createProblems(), createProblems()];
  const documentsOf = (tab: PlaygroundTab): readonly Located[] => {
    const { documents, problems } = readLocated(tab, texts[tab]);
    for (const problem of problems) syntax.add({ ...problem, path: '' });
    return documents;
  };
  const objects = documentsOf('objects');
  const listOf = (tab: PlaygroundTab): Located => {
    const [list, second] = documentsOf(tab);
    if (second) schema.at(second, 'one list is expected: remove the line ---');
    return list ?? emptyList(tab);
  };
  const root = rootOf({
    load: listAt('objects', objects),
    webhooks: listOf('webhooks'),
    steps: listOf('requests'),
    server: serverAt(texts.release, objects),
  });
  if (syntax.all().length === 0) checkSchema(root, schema);
  const isSound = syntax.all().length + schema.all().length === 0;
  const origin = { name: 'playground', file: 'playground', folder: '' };
  const scenario = isSound
    ? await readScenario(root, origin, { files, problems: schema, users: new Map() })
    : undefined;
  return {
    scenario: schema.all().length === 0 ? scenario : undefined,
    objects: objects.flatMap(lintObjectsAt),
    syntax: syntax.all(),
    schema: schema.all(),
  };
}

const located = (file: string, value: JsonValue, parts: Partial<Located> = {}): Located => {
  const place = { file, line: 1, column: 1 };
  return {
    value,
    path: '',
    place,
    keyPlace: place,
    get: () => undefined,
    items: () => [],
    entries: () => [],
    ...parts,
  };
};

const emptyList = (tab: PlaygroundTab): Located => located(tab, []);

const listAt = (tab: PlaygroundTab, items: readonly Located[]): Located =>
  located(
    tab,
    items.map(({ value }) => value),
    { items: () => items },
  );

/** Roles decide where there are some; otherwise every request is allowed. */
const serverAt = (kubernetesVersion: string, objects: readonly Located[]): Located =>
  located('objects', { kubernetesVersion, ...(objects.some(isOfRbac) ? { authorizationMode: 'RBAC' } : {}) });

const isOfRbac = ({ value }: Located): boolean =>
  asString(asObject(value)['apiVersion']).startsWith('rbac.authorization.k8s.io/');

function rootOf(fields: Readonly<Record<string, Located>>): Located {
  const value: JsonObject = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
  return located('requests', value, {
    get: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined),
    entries: () => Object.entries(fields),
  });
}
