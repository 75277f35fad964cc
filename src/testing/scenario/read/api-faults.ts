import { asObject } from '../../../machinery/json/json.ts';
import type { ApiFault, ApiFaultKind } from '../../stubs/api-fault.ts';
import { whenOf } from './faults.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';
import { scalarTexts } from './scalar-text.ts';

export const readApiFaults = (at: Located | undefined, problems: Problems): readonly ApiFault[] =>
  (at?.items() ?? []).flatMap((item) => {
    const { verbs, resources, conflict, tooManyRequests } = asObject(item.value);
    if ((conflict === undefined) === (tooManyRequests === undefined)) {
      problems.at(item, 'has no fault: add one of conflict and tooManyRequests');
      return [];
    }
    const what: ApiFaultKind =
      tooManyRequests === undefined
        ? { type: 'conflict' }
        : {
            type: 'too-many-requests',
            ...(typeof tooManyRequests === 'number' ? { retryAfterSeconds: tooManyRequests } : {}),
          };
    return [
      {
        what,
        ...(verbs === undefined ? {} : { verbs: scalarTexts(verbs) }),
        ...(resources === undefined ? {} : { resources: scalarTexts(resources) }),
        ...whenOf(item),
      },
    ];
  });
