import { type GroupVersionKind, parseApiVersion } from '../../src/machinery/meta/gvk.ts';
import { defaultRelease } from '../../src/api/release/load-release.ts';

const kinds = [...defaultRelease.types.kinds.keys()].map((key): GroupVersionKind => {
  const at = key.lastIndexOf('/');
  return { ...parseApiVersion(key.slice(0, at)), kind: key.slice(at + 1) };
});

/** The kind of the objects in a collection such as `/apis/apps/v1/namespaces/default/deployments`. */
export function kindOf(collection: string): GroupVersionKind {
  const parts = collection.split('/');
  const { group, version } =
    parts[1] === 'api' ? { group: '', version: parts[2] } : { group: parts[2], version: parts[3] };
  const plural = parts.at(-1) ?? '';
  const found = kinds.find(
    (one) => one.group === group && one.version === version && pluralsOf(one.kind).includes(plural),
  );
  if (found === undefined) throw new Error(`no kind for ${collection}`);
  return found;
}

function pluralsOf(kind: string): readonly string[] {
  const name = kind.toLowerCase();
  return [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')];
}
