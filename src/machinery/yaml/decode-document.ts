import { type Alias, isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { type JsonDocument, setOwn } from '../json/json.ts';
import { deepestNesting } from '../json/json-walk.ts';
import { tooManyValuesText } from '../json/body-limits.ts';
import { jsonScalar, yamlMapKey, isMergeKey, resolveScalar } from './resolve-scalar.ts';
import { YamlFault } from './lex-yaml.ts';
import type { AliasTargets, ParsedYaml, YamlNode } from './parse-yaml.ts';
import { scanError } from './syntax-errors.ts';

interface Decoding extends Pick<ParsedYaml, 'lineOf'> {
  readonly targets: AliasTargets;
  readonly maxValues: number;
  /** The aliases whose target is being decoded. */
  readonly followed: Set<Alias>;
  readonly duplicates: string[];
  decoded: number;
  throughAliases: number;
  values: number;
}

interface Fields {
  readonly object: Record<string, JsonDocument>;
  /** Keys as Go prints them, so that 1 and "1" differ. */
  readonly seen: Set<string>;
}

/**
 * The JSON of a YAML document: merge keys, repeated keys and the limit of aliases as in goyaml.v2 decode.go, keys that
 * are not strings as in sigs.k8s.io/yaml yaml.go. Throws a YamlFault.
 */
export function decodeDocument(
  root: YamlNode,
  { lineOf, maxValues }: Pick<Decoding, 'lineOf' | 'maxValues'>,
): { readonly value: JsonDocument; readonly duplicates: readonly string[] } {
  const duplicates: string[] = [];
  const decoding: Decoding = {
    lineOf,
    maxValues,
    duplicates,
    targets: resolveAliases(root, lineOf),
    followed: new Set(),
    decoded: 1,
    throughAliases: 0,
    values: 0,
  };
  return { value: decodeNode(decoding, root, 0), duplicates };
}

const noName = 'did not find expected alphabetic or numeric character';

/** An alias refers to the last node with its anchor before it. */
function resolveAliases(root: YamlNode, lineOf: ParsedYaml['lineOf']): AliasTargets {
  const anchors = new Map<string, YamlNode>();
  const targets = new Map<Alias, YamlNode>();
  const visit = (node: YamlNode): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (!target) throw new YamlFault(`yaml: unknown anchor '${node.source}' referenced`);
      targets.set(node, target);
      return;
    }
    if (node?.anchor !== undefined) {
      if (!/^[\w-]+$/.test(node.anchor)) throw new YamlFault(`yaml: ${scanError(lineOf(node.range[0]), noName)}`);
      anchors.set(node.anchor, node);
    }
    if (isSeq(node)) node.items.forEach(visit);
    if (isMap(node)) for (const { key, value } of node.items) [key, value].forEach(visit);
  };
  visit(root);
  return targets;
}

function decodeNode(decoding: Decoding, node: YamlNode, level: number): JsonDocument {
  countNode(decoding);
  if (isAlias(node)) return followAlias(decoding, node, (target) => decodeNode(decoding, target, level));
  decoding.values += 1;
  if (decoding.values > decoding.maxValues) throw new YamlFault(tooManyValuesText);
  if (node === null || isScalar(node)) return jsonScalar(resolveScalar(node));
  if (level === deepestNesting) throw new YamlFault(`yaml: exceeded max depth of ${deepestNesting}`);
  if (isSeq(node)) return node.items.map((item) => decodeNode(decoding, item, level + 1));
  const fields: Fields = { object: {}, seen: new Set() };
  addFields(decoding, node, fields, level + 1);
  return fields.object;
}

function followAlias<T>(decoding: Decoding, alias: Alias, use: (target: YamlNode) => T): T {
  const { followed, targets } = decoding;
  if (followed.has(alias)) throw new YamlFault(`yaml: anchor '${alias.source}' value contains itself`);
  followed.add(alias);
  const result = use(targets.get(alias) ?? null);
  followed.delete(alias);
  return result;
}

function addFields(decoding: Decoding, map: YAMLMap<ParsedNode, YamlNode>, fields: Fields, level: number): void {
  for (const { key, value } of map.items) {
    if (isMergeKey(key)) {
      mergeFields(decoding, value, fields, level);
      continue;
    }
    countNode(decoding);
    const { text, go } = yamlMapKey(key, value, decoding.targets);
    if (fields.seen.has(go))
      decoding.duplicates.push(`line ${lineOf(decoding, key, value)}: key ${go} already set in map`);
    fields.seen.add(go);
    setOwn(fields.object, text, decodeNode(decoding, value, level));
  }
}

const lineOf = (decoding: Decoding, key: ParsedNode, value: YamlNode): number =>
  decoding.lineOf((value ?? key).range[0]);

/** `<<: *a` or `<<: [*a, *b]`: earlier ones win, so they come last. */
function mergeFields(decoding: Decoding, value: YamlNode, fields: Fields, level: number): void {
  const sources = isSeq(value) ? value.items.toReversed() : [value];
  for (const source of sources) {
    countNode(decoding);
    const add = (map: YamlNode): void => {
      if (!isMap(map)) throw new YamlFault('yaml: map merge requires map or sequence of maps as the value');
      addFields(decoding, map, fields, level);
    };
    if (isAlias(source)) followAlias(decoding, source, add);
    else add(source);
  }
}

/** Aliases may repeat nodes, but not too often. */
function countNode(decoding: Decoding): void {
  decoding.decoded += 1;
  if (decoding.followed.size > 0) decoding.throughAliases += 1;
  const { decoded, throughAliases } = decoding;
  if (throughAliases > 100 && decoded > 1000 && throughAliases / decoded > allowedRatio(decoded))
    throw new YamlFault('yaml: document contains excessive aliasing');
}

/** 99 % of a small document may come from aliases, 10 % of a large one. */
function allowedRatio(decoded: number): number {
  const [from, to] = [400_000, 4_000_000];
  return 0.99 - 0.89 * Math.min(1, Math.max(0, (decoded - from) / (to - from)));
}
