import { trimRight } from '../../../machinery/go/strings.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { Volume, VolumeProjection } from '../../types/generated/core-v1.ts';

/** `source` is '' unless the volume is projected. */
interface VirtualFile {
  readonly path: string;
  readonly source: string;
}

/** A limit of kadmit: the comparison is quadratic. */
const maxFiles = 200;

/** Follows kubernetes pkg/api/pod/warnings.go warningsForOverlappingVirtualPaths. */
export const overlapWarnings = (volumes: readonly Volume[] | undefined): readonly string[] =>
  asList(volumes).flatMap((volume) => {
    const { configMap, secret, downwardAPI, projected } = volume;
    const warningsOf = (kind: string, files: readonly VirtualFile[]): readonly string[] =>
      overlapTexts(files).map(
        (text) => `volume ${goQuote(asString(volume.name))} (${kind}): overlapping paths: ${text}`,
      );
    return [
      ...(configMap
        ? warningsOf(`ConfigMap ${goQuote(asString(configMap.name))}`, toVirtualFiles(configMap, ''))
        : none),
      ...(secret ? warningsOf(`Secret ${goQuote(asString(secret.secretName))}`, toVirtualFiles(secret, '')) : none),
      ...(downwardAPI ? warningsOf('DownwardAPI', toVirtualFiles(downwardAPI, '')) : none),
      ...asList(volume.projected?.sources)
        .filter((part) => Object.keys(asObject(part)).length === 0)
        .map(() => `volume ${goQuote(asString(volume.name))} (Projected) has no sources provided`),
      ...(projected ? warningsOf('Projected', asList(projected.sources).flatMap(listProjectedFiles)) : none),
    ];
  });

const none: readonly string[] = [];

const toVirtualFiles = (
  { items }: { readonly items?: readonly { readonly path?: string }[] },
  source: string,
): readonly VirtualFile[] => asList(items).map(({ path }) => ({ path: trimRight(asString(path), '/'), source }));

function listProjectedFiles(part: VolumeProjection): readonly VirtualFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = part;
  const named = (kind: string, name: string | undefined): string => `${kind} ${goQuote(asString(name))}`;
  if (configMap?.items !== undefined) return toVirtualFiles(configMap, named('ConfigMap', configMap.name));
  if (secret?.items !== undefined) return toVirtualFiles(secret, named('Secret', secret.name));
  if (downwardAPI?.items !== undefined) return toVirtualFiles(downwardAPI, 'DownwardAPI');
  return serviceAccountToken === undefined
    ? []
    : toVirtualFiles({ items: [serviceAccountToken] }, 'ServiceAccountToken');
}

function overlapTexts(files: readonly VirtualFile[]): readonly string[] {
  if (files.length < 2) return none;
  // Paths may be long: computed once.
  const all = files.slice(0, maxFiles).map((file) => ({ folder: `${file.path}/`, text: formatFile(file) }));
  return all.flatMap(({ folder, text }, at) =>
    folder === '/'
      ? none
      : all
          .slice(0, at)
          .filter((other) => other.folder !== '/' && hasOverlap(other.folder, folder))
          .map((other) => `${text} with ${other.text}`),
  );
}

const hasOverlap = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

const formatFile = ({ path, source }: VirtualFile): string =>
  source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
