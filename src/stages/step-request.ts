import type { GroupVersionKind } from '../apimachinery/gvk.ts';
import { asString, isJsonObject, isList } from '../apimachinery/json.ts';
import type { JsonDocument, JsonValue } from '../apimachinery/json.ts';
import { metadataOf } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import type { ApplyStep, PatchStep, Step } from './stage.ts';
import { render } from './template/render.ts';
import type { TemplateFunction } from './template/render.ts';

/** A patch to send. */
export interface PatchRequest {
  readonly contentType: string;
  readonly body: Made;
}

/** What a template makes: an object, or a list for a JSON patch. */
export type Made = { readonly [field: string]: JsonDocument | undefined } | readonly JsonDocument[];

export type Making<T> =
  | { readonly outcome: 'made'; readonly value: T }
  | { readonly outcome: 'failed'; readonly error: string };

/** Reads what a template made, as YAML. */
export type ReadYaml = (text: string) => Promise<Making<JsonDocument>>;

const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

export interface Rendered {
  readonly object: KubernetesObject;
  readonly functions: ReadonlyMap<string, TemplateFunction>;
  readonly readYaml: ReadYaml;
}

/** What the template of a step makes of the object. */
export async function renderStep(
  { template }: PatchStep | ApplyStep,
  { object, functions, readYaml }: Rendered,
): Promise<Making<Made>> {
  const text = render(template, object, functions);
  if (text.outcome === 'failed') return text;
  const made = await readYaml(text.text);
  if (made.outcome === 'failed') return made;
  const { value } = made;
  if (isList(value) || isJsonObject(value)) return { outcome: 'made', value };
  return { outcome: 'failed', error: 'the template makes neither an object nor a list' };
}

/** Pods and Nodes are patched by the names of their list items. Follows KWOK pkg/utils/lifecycle/next.go. */
export function patchOf({ root, patchType }: PatchStep, kind: GroupVersionKind, made: Made): PatchRequest {
  const isCore = kind.group === '' && (kind.kind === 'Pod' || kind.kind === 'Node');
  const type = patchType === '' ? (isCore ? 'strategic' : 'merge') : patchType;
  const contentType = contentTypes[type] ?? '';
  if (root === '') return { contentType, body: made };
  if (type !== 'json') return { contentType, body: { [root]: made } };
  const operations = isList(made) ? made : [];
  const body = operations.map((operation) =>
    isJsonObject(operation) ? { ...operation, path: `/${root}${asString(operation['path'])}` } : operation,
  );
  return { contentType, body };
}

export const applyContentType = ({ patchType }: ApplyStep): string => contentTypes[patchType] ?? '';

type Finalizers = Extract<Step, { readonly type: 'finalizers' }>;

/** The JSON patch that takes finalizers away and adds others; [] when nothing is to be done. Follows KWOK pkg/utils/lifecycle/finalizers.go. */
export function finalizersPatch({ add, remove, empty }: Finalizers, object: KubernetesObject): readonly JsonValue[] {
  const before = metadataOf(object).finalizers ?? [];
  const kept = empty ? [] : before.filter((one) => !remove.includes(one));
  const after = [...kept, ...add.filter((one) => !kept.includes(one))];
  if (after.length === before.length && after.every((one, index) => one === before[index])) return [];
  const path = '/metadata/finalizers';
  if (before.length === 0) return [{ op: 'add', path, value: after }];
  // What somebody else added meanwhile is not to be lost.
  return [
    { op: 'test', path, value: before },
    after.length === 0 ? { op: 'remove', path } : { op: 'replace', path, value: after },
  ];
}
