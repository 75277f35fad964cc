import { createFieldReader } from '../apimachinery/decode-fields.ts';
import type { Fields } from '../apimachinery/decode-fields.ts';
import { parseApiVersion } from '../apimachinery/gvk.ts';
import { readDelay } from './delay.ts';
import type { CompileCel, StageReader } from './expression.ts';
import { readSteps } from './read-steps.ts';
import { readSelector } from './selector.ts';
import type { Stage } from './stage.ts';
import { readWeight } from './weight.ts';

export type StageReading =
  | { readonly outcome: 'read'; readonly stage: Stage }
  /** The first thing that is wrong with it, and where. */
  | { readonly outcome: 'wrong'; readonly error: string };

/** A Stage of kwok.x-k8s.io/v1alpha1 from its document. `immediateNextStage` means nothing here: nobody waits for a watch. */
export function readStage(document: Fields, compileCel: CompileCel): StageReading {
  const faults: string[] = [];
  const fields = createFieldReader();
  const reader: StageReader = { fields, compileCel, fault: (at, problem) => faults.push(`${at}: ${problem}`) };
  const root = { struct: 'Stage', path: '' };
  const metadata = fields.object(document, 'metadata', root, 'ObjectMeta');
  const spec = fields.object(document, 'spec', root, 'StageSpec');
  fields.only(document, ['apiVersion', 'kind', 'metadata', 'spec', 'status'], '');
  fields.only(
    spec,
    ['resourceRef', 'selector', 'weight', 'weightFrom', 'delay', 'next', 'immediateNextStage', 'steps'],
    'spec',
  );
  const reference = fields.object(spec, 'resourceRef', { struct: 'StageSpec', path: 'spec' }, 'StageResourceRef');
  const place = { struct: 'StageResourceRef', path: 'spec.resourceRef' };
  fields.only(reference, ['apiGroup', 'kind'], place.path);
  const kind = fields.text(reference, 'kind', place);
  if (kind === '') faults.push('spec.resourceRef.kind: it is missing');
  const stage: Stage = {
    name: fields.text(metadata, 'name', { struct: 'ObjectMeta', path: 'metadata' }),
    kind: { ...parseApiVersion(fields.text(reference, 'apiGroup', place) || 'v1'), kind },
    matches: readSelector(reader, spec),
    weightOf: readWeight(reader, spec),
    delayOf: readDelay(reader, spec),
    steps: readSteps(reader, spec),
  };
  const error = fields.fatal() ?? faults[0] ?? fields.unknown()[0];
  return error === undefined ? { outcome: 'read', stage } : { outcome: 'wrong', error };
}
