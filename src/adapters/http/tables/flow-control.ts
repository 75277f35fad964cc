import { isJsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { ageOf, nameOf, numberAt, objectsAt, scalarAt, textAt } from './cell.ts';
import type { Cells } from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

export const flowSchemaCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'priorityLevelConfiguration', 'name'),
  numberAt(object, 'spec', 'matchingPrecedence'),
  scalarAt(object, ['spec', 'distinguisherMethod', 'type'], '<none>'),
  ageOf(object, now),
  textAt(
    objectsAt(object, 'status', 'conditions').find(({ type }) => type === 'Dangling'),
    'status',
  ) || '?',
];

export const priorityLevelCells: Cells = (object, now) => {
  const limited = valueAt(object, 'spec', 'limited');
  const queuing = valueAt(limited, 'limitResponse', 'queuing');
  const orNone = (holder: JsonValue | undefined, field: string): JsonValue =>
    isJsonObject(holder) ? numberAt(holder, field) : '<none>';
  return [
    nameOf(object),
    textAt(object, 'spec', 'type'),
    isJsonObject(limited) ? (valueAt(limited, 'nominalConcurrencyShares') ?? null) : '<none>',
    orNone(queuing, 'queues'),
    orNone(queuing, 'handSize'),
    orNone(queuing, 'queueLengthLimit'),
    ageOf(object, now),
  ];
};
