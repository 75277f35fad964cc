import { asList, asObject, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { loadScript } from '../../stubs/load-script.ts';
import type { Behaviour } from '../../stubs/webhook-spec.ts';
import { existingFile } from './existing-file.ts';
import type { Located } from './located.ts';
import type { Reading } from './reading.ts';
import { scalarFields, scalarText } from './scalar-text.ts';
import { ownValue } from '../../../machinery/meta/own-value.ts';

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

const readers: Readonly<Record<string, (value: JsonValue) => Behaviour>> = {
  allow: () => ({ type: 'allow' }),
  deny: (value) => ({ type: 'deny', ...readDenial(value) }),
  label: (value) => ({ type: 'label', labels: scalarFields(value) }),
  annotate: (value) => ({ type: 'annotate', annotations: scalarFields(value) }),
  sidecar: (value) => ({ type: 'sidecar', container: asObject(value), init: false }),
  initContainer: (value) => ({ type: 'sidecar', container: asObject(value), init: true }),
  set: (value) => ({ type: 'set', fields: defined(asObject(value)) }),
  patch: (value) => ({ type: 'patch', operations: asList(value).filter(isJsonObject) }),
  warn: (value) => ({ type: 'warn', warnings: Array.isArray(value) ? value.map(scalarText) : [scalarText(value)] }),
  audit: (value) => ({ type: 'audit', annotations: scalarFields(value) }),
  echo: () => ({ type: 'echo' }),
};

function readOne(name: string, value: JsonValue): readonly Behaviour[] {
  const read = ownValue(readers, name);
  return read ? [read(value)] : [];
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
  if (reading.needsScript) {
    reading.needsScript();
    return [];
  }
  const loading = await loadScript(file);
  if (loading.outcome === 'loaded') return [{ type: 'script', run: loading.run }];
  reading.problems.at(at, loading.error);
  return [];
}

const defined = (fields: JsonObject): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));
