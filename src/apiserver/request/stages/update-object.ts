import { asList, valueAt } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { StoredObject } from '../../storage/storage.ts';
import { withParts, type Current, type Exchange, requirePart } from '../exchange.ts';
import { type Attempt, guaranteedDelete, guaranteedUpdate } from '../guaranteed-writes.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { refuseAt, runStages, type Stage } from '../stage.ts';
import { storagePreconditionFailure } from '../storage-error.ts';
import { isDryRun } from '../write-options.ts';
import { storeKeyOf, readCurrent } from './load-current.ts';
import { beginPorts } from './prepare-for-storage.ts';
import { answerWith, fitSizeLimit, toStorageForm, warnOfStoredOnly, withoutSelfLink } from './storage-form.ts';

/** `load` reads the object, `stages` create and admit the new one. */
export interface UpdateStages {
  readonly load: Stage;
  readonly stages: readonly Stage[];
  readonly answer?: Respond;
}

type Respond = (
  deps: HandlerDeps,
  exchange: Exchange,
  stored: KubernetesObject,
  code: number,
) => Promise<Result<Exchange>>;

/** Follows apiserver pkg/registry/generic/registry/store.go Update. */
export const updateObject = (deps: HandlerDeps, { load, stages, answer = answerWith }: UpdateStages): Stage => ({
  name: 'update-object',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const updated = await guaranteedUpdate<Updated>(deps, exchange, {
      key: storeKeyOf(target, target.info.name),
      dryRun: isDryRun(exchange.options),
      load: async () => {
        const loaded = await runStages([load], exchange);
        return loaded.ok ? ok(loaded.value.current) : loaded;
      },
      attempt: async (current) => {
        const admitted = await runStages(stages, withParts(exchange, { current }));
        return admitted.ok
          ? createAttempt(deps, admitted.value, answer)
          : { outcome: 'refused', status: admitted.status };
      },
    });
    if (!updated.ok) return updated;
    const { emptied, exchange: done } = updated.value;
    return emptied ? removeEmptied(deps, done, emptied) : ok(done);
  },
});

interface Updated {
  readonly exchange: Exchange;
  readonly emptied?: { readonly object: KubernetesObject; readonly current: Current };
}

/** The storage operation for an admitted object. */
async function createAttempt(deps: HandlerDeps, exchange: Exchange, answer: Respond): Promise<Attempt<Updated>> {
  const { current } = exchange;
  const form = await toStorageForm(exchange);
  if (!form.ok) return { outcome: 'refused', status: refuseAt(exchange, form.status) };
  const code = current === null ? 201 : 200;
  const dryRun = isDryRun(exchange.options);
  const result = async ({ object }: Pick<StoredObject, 'object'>): Promise<Result<Updated>> => {
    if (current === null && !dryRun) warnOfStoredOnly(deps, exchange);
    const answered = await answer(deps, exchange, object, code);
    return answered.ok ? ok({ exchange: answered.value }) : answered;
  };
  const object = dryRun ? dryRunForm(form.value, current) : withCurrentVersion(withoutSelfLink(form.value), current);
  if (current && isEmptied(object)) {
    return { outcome: 'end', value: { exchange, emptied: { object, current } } };
  }
  if (dryRun) {
    const answered = await result({ object });
    return answered.ok ? { outcome: 'end', value: answered.value } : { outcome: 'refused', status: answered.status };
  }
  const fitting = await fitSizeLimit(deps, exchange, object);
  if (!fitting.ok) return { outcome: 'refused', status: refuseAt(exchange, fitting.status) };
  return { outcome: 'write', object: fitting.value, result };
}

const withCurrentVersion = (object: KubernetesObject, current: Current | null): KubernetesObject =>
  withMetadata(object, { resourceVersion: current ? metadataOf(current.object).resourceVersion : undefined });

/** A dry run that creates shows the resourceVersion that was sent. Follows apiserver pkg/registry/generic/registry/dryrun.go. */
const dryRunForm = (object: KubernetesObject, current: Current | null): KubernetesObject =>
  current ? withCurrentVersion(object, current) : object;

/** A deleting object without finalizers. Follows apiserver store.go ShouldDeleteDuringUpdate (rule PATH-26). */
function isEmptied(object: KubernetesObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadataOf(object);
  if (deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds !== 0) return false;
  return object.kind !== 'Namespace' || asList(valueAt(object, 'spec', 'finalizers')).length === 0;
}

/** Removes the object whatever concurrent writes did. Follows store.go deleteWithoutFinalizers. */
async function removeEmptied(
  deps: HandlerDeps,
  exchange: Exchange,
  { object, current }: { readonly object: KubernetesObject; readonly current: Current },
): Promise<Result<Exchange>> {
  const target = requirePart(exchange.target, 'target');
  const dryRun = isDryRun(exchange.options);
  const { name } = target.info;
  const { uid = '' } = target.info.verb === 'update' && exchange.sent ? metadataOf(exchange.sent) : {};
  const removed = await guaranteedDelete(deps, exchange, {
    key: storeKeyOf(target, name),
    dryRun,
    load: () => readCurrent(deps, target),
    check: async (stored) =>
      storagePreconditionFailure(target, metadataOf(stored.object), uid === '' ? {} : { uid }, { name, dryRun }),
  });
  if (!removed.ok) return removed;
  if (!dryRun) await target.strategy.afterDelete?.((removed.value ?? current).object, beginPorts(deps));
  return answerWith(deps, exchange, object, 200);
}
