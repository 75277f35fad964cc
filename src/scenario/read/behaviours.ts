import { resolve } from 'node:path';
import { asList, asObject, asString, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { Behaviour } from '../../faults/webhook-spec.ts';
import { existingFile } from './existing-file.ts';
import type { Located } from './located.ts';
import type { Reading } from './reading.ts';

/** `does` of a webhook: a word, a mapping whose entries are done in order, or a list of them. */
export async function readBehaviours(at: Located | undefined, reading: Reading): Promise<readonly Behaviour[]> {
  if (at === undefined) return [];
  if (Array.isArray(at.value)) {
    const lists: (readonly Behaviour[])[] = [];
    for (const item of at.items()) lists.push(await readBehaviours(item, reading));
    return lists.flat();
  }
  if (typeof at.value === 'string') return readOne(at.value, true);
  const behaviours: Behaviour[] = [];
  for (const [name, field] of at.entries()) {
    behaviours.push(...(name === 'script' ? await readScript(field, reading) : readOne(name, field.value)));
  }
  return behaviours;
}

function readOne(name: string, value: JsonValue): readonly Behaviour[] {
  const fields = asObject(value);
  switch (name) {
    case 'deny':
      return [{ type: 'deny', ...readDenial(value) }];
    case 'label':
      return [{ type: 'label', labels: texts(fields) }];
    case 'annotate':
      return [{ type: 'annotate', annotations: texts(fields) }];
    case 'sidecar':
    case 'initContainer':
      return [{ type: 'sidecar', container: fields, init: name === 'initContainer' }];
    case 'set':
      return [{ type: 'set', fields: defined(fields) }];
    case 'patch':
      return [{ type: 'patch', operations: asList(value).filter(isJsonObject) }];
    case 'warn':
      return [{ type: 'warn', warnings: Array.isArray(value) ? value.map(String) : [asString(value)] }];
    case 'audit':
      return [{ type: 'audit', annotations: texts(fields) }];
    case 'echo':
      return [{ type: 'echo' }];
    default:
      return [{ type: 'allow' }];
  }
}

function readDenial(value: JsonValue): { readonly message?: string; readonly code?: number; readonly reason?: string } {
  if (typeof value === 'string') return { message: value };
  const { message, code, reason } = asObject(value);
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}

async function readScript(at: Located, reading: Reading): Promise<readonly Behaviour[]> {
  const file = existingFile(at, reading);
  if (file === undefined) return [];
  const loading = await reading.loadScript(resolve(file));
  if (loading.outcome === 'loaded') return [{ type: 'script', run: loading.run }];
  reading.problems.at(at, loading.error);
  return [];
}

const defined = (fields: JsonObject): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));

const texts = (fields: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
