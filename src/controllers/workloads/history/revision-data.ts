import { asObject, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { writeJsonForGo } from '../../../machinery/json/json-writer.ts';
import { safeEncode } from '../../template-hash/template-hash.ts';
import type { ControllerRevision, DaemonSet, StatefulSet } from '../../../api/types/generated/apps-v1.ts';
import type { PodTemplateSpec } from '../../../api/types/generated/core-v1.ts';

/** The data of a ControllerRevision: a patch that restores the Pod template. Follows getPatch. */
export const revisionData = (owner: DaemonSet | StatefulSet): JsonObject => ({
  spec: { template: { ...asObject(owner.spec?.template), $patch: 'replace' } },
});

export function keptTemplate(revision: ControllerRevision): PodTemplateSpec {
  // The patch may contain anything.
  const { $patch: _patch, ...template } = asObject(valueAt(revision.data, 'spec', 'template'));
  return template;
}

/** With sorted keys, as Go prints maps. Equal data means equal revisions. */
export const revisionText = (data: JsonValue | undefined): string => writeJsonForGo(sorted(data ?? null));

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(asObject(value)).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, entry === undefined ? entry : sorted(entry)]));
}

/** Follows pkg/controller/history/controller_history.go HashControllerRevision. */
export const revisionHash = (data: JsonObject, collisionCount: number): string =>
  safeEncode(String(fnv32(encoder.encode(`${revisionText(data)}${collisionCount}`))));

const encoder = new TextEncoder();
const offset = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1 multiplies before each XOR, FNV-1a after it. */
function fnv32(bytes: Uint8Array): number {
  let hash = offset;
  for (const byte of bytes) hash = (Math.imul(hash, prime) ^ byte) >>> 0;
  return hash;
}
