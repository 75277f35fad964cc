import { accessPrinters } from './access.ts';
import { alphaPrinters } from './alpha.ts';
import { type Cells, cells, conditionStatus, nameOf, objectsAt, textCell, textAt, textsCell } from './cell.ts';
import { corePrinters } from './core.ts';
import { evictionPrinters } from './eviction.ts';
import { networkPrinters } from './network.ts';
import { podCells } from './pod.ts';
import { storagePrinters } from './storage.ts';
import { workloadPrinters } from './workload.ts';

/** Releases before 1.37 print the name and the time only. Follows apiextensions-apiserver pkg/registry/customresourcedefinition/tableconvertor. */
const definitionCells = cells(
  nameOf,
  textCell('spec.scope'),
  (definition) =>
    objectsAt(definition, 'spec', 'versions')
      .filter(({ served }) => served === true)
      .map((version) => `${textAt(version, 'name')}${version['storage'] === true ? '(storage)' : ''}`)
      .toSorted()
      .join(','),
  textCell('metadata.creationTimestamp'),
  textCell('spec.group'),
  textCell('spec.names.kind'),
  textsCell('spec.names.shortNames'),
  (definition) => conditionStatus(definition, 'Established') === 'True',
);

/** By group and kind: `apps/Deployment`, `/Pod`. Follows kubernetes pkg/printers/internalversion/printers.go AddHandlers. */
export const printers: ReadonlyMap<string, Cells> = new Map(
  Object.entries({
    '/Pod': podCells,
    'apiextensions.k8s.io/CustomResourceDefinition': definitionCells,
    ...corePrinters,
    ...networkPrinters,
    ...storagePrinters,
    ...workloadPrinters,
    ...accessPrinters,
    ...alphaPrinters,
    ...evictionPrinters,
  }),
);

/** The resource of a kind. Follows apimachinery pkg/api/meta/restmapper.go UnsafeGuessKindToResource. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
