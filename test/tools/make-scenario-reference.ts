import type { JsonValue } from '../../src/machinery/json/json.ts';
import { scalarText } from '../../src/testing/scenario/read/scalar-text.ts';
import { stepActions } from '../../src/testing/scenario/read/step.ts';
import { scenarioSchema as schema } from '../../src/testing/scenario/schema/scenario-schema.ts';

/** What the tables show of a part of the schema. */
interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly enum?: readonly JsonValue[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
}

const scenarioSchema = schema as SchemaNode; // docs.test.ts checks that it is a JSON Schema.

const begin = '<!-- reference: begin -->';
const end = '<!-- reference: end -->';

/** docs/reference/scenario-format.md with the tables of all fields between its two marks. */
export function makeScenarioReference(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no ${begin} … ${end}`);
  return `${before}${begin}\n\n${sections().join('\n\n')}\n\n${end}${after}`;
}

function sections(): readonly string[] {
  const step = fieldsAt('steps', 'items');
  const isAction = (name: string): boolean => stepActions.some((action) => action === name);
  const expectation = branchOf(propertyOf(itemsOf(propertyOf(scenarioSchema, 'steps')), 'expect'), 'object');
  const webhookExpectation = branchOf(elementOf(branchOf(propertyOf(expectation, 'webhooks'), 'object')), 'object');
  return [
    section('scenario.yaml', fields(scenarioSchema), '$schema'),
    section('server', fieldsAt('server')),
    section('users', fields(branchOf(elementOf(propertyOf(scenarioSchema, 'users')), 'object'))),
    section('webhooks[]', fieldsAt('webhooks', 'items')),
    section('converters[]', fieldsAt('converters', 'items')),
    section('does', fields(branchOf(resolved({ $ref: '#/definitions/does' }), 'object'))),
    section('faults', fields(branchOf(resolved({ $ref: '#/definitions/faults' }), 'object'))),
    section('apiFaults[]', fieldsAt('apiFaults', 'items')),
    section(
      'steps[]: actions',
      step.filter(([name]) => isAction(name)),
    ),
    section(
      'steps[]: other fields',
      step.filter(([name]) => !isAction(name)),
    ),
    section('expect', fields(expectation)),
    section('expect.webhooks', fields(webhookExpectation)),
    section('matrix', fieldsAt('matrix')),
    section('Changes of an axis value', fields(resolved({ $ref: '#/definitions/change' }))),
  ];
}

type Field = readonly [name: string, node: SchemaNode];

const fields = (node: SchemaNode): readonly Field[] => Object.entries(node.properties ?? {});

const resolved = (node: SchemaNode): SchemaNode => {
  if (node.$ref === undefined) return node;
  const { $ref, ...beside } = node;
  return { ...scenarioSchema.definitions?.[$ref.replace('#/definitions/', '')], ...beside };
};

const propertyOf = (node: SchemaNode, name: string): SchemaNode => resolved(node.properties?.[name] ?? {});

const itemsOf = (node: SchemaNode): SchemaNode => node.items ?? {};

const elementOf = ({ additionalProperties }: SchemaNode): SchemaNode =>
  typeof additionalProperties === 'object' ? additionalProperties : {};

const branchOf = ({ anyOf = [] }: SchemaNode, type: string): SchemaNode => anyOf.find((one) => one.type === type) ?? {};

const fieldsAt = (name: string, inside?: 'items'): readonly Field[] => {
  const node = propertyOf(scenarioSchema, name);
  return fields(inside ? itemsOf(node) : node);
};

const section = (title: string, rows: readonly Field[], ...without: readonly string[]): string =>
  [
    `### ${title}`,
    '',
    '| Field | Type | Meaning |',
    '| --- | --- | --- |',
    ...rows
      .filter(([name]) => !without.includes(name))
      .map(([name, node]) => `| \`${name}\` | ${cell(typeOf(resolved(node)))} | ${cell(meaningOf(resolved(node)))} |`),
  ].join('\n');

/** `boolean`, `` `Fail`, `Ignore` ``, `string or list`. */
function typeOf({ type, anyOf, enum: choices }: SchemaNode): string {
  if (choices) return choices.map((choice) => `\`${scalarText(choice)}\``).join(', ');
  const branches: readonly SchemaNode[] = anyOf ?? [type === undefined ? {} : { type }];
  const types = branches.flatMap((one) => (one.enum?.includes(true) ? '`true`' : (one.type ?? [])));
  return [...new Set(types.map((type) => yamlTypes[type] ?? type))].join(' or ');
}

const yamlTypes: Readonly<Record<string, string>> = { object: 'mapping', array: 'list' };

function meaningOf({ description = '', default: fallback, examples = [] }: SchemaNode): string {
  const simple = examples.filter((one) => typeof one === 'string' && one !== '');
  return [
    description,
    fallback === undefined ? '' : `Default: \`${JSON.stringify(fallback)}\`.`,
    simple.length > 0 ? `Example: ${simple.map((one) => `\`${scalarText(one)}\``).join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
