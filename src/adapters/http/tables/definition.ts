import type { Cells } from './cell.ts';
import { conditionStatus, nameOf, objectsAt, textAt, textsAt } from './cell.ts';

/** Releases before 1.37 print the name and the time only. Follows apiextensions-apiserver pkg/registry/customresourcedefinition/tableconvertor. */
export const definitionCells: Cells = (object) => [
  nameOf(object),
  textAt(object, 'spec', 'scope'),
  objectsAt(object, 'spec', 'versions')
    .filter(({ served }) => served === true)
    .map((version) => `${textAt(version, 'name')}${version['storage'] === true ? '(storage)' : ''}`)
    .toSorted()
    .join(','),
  textAt(object, 'metadata', 'creationTimestamp'),
  textAt(object, 'spec', 'group'),
  textAt(object, 'spec', 'names', 'kind'),
  textsAt(object, 'spec', 'names', 'shortNames').join(','),
  conditionStatus(object, 'Established') === 'True',
];
