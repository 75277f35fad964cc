import { validateNonNegative, validateUnique, eachText, errorIf, type FieldErrors } from '../field-rules.ts';
import { invalidValue, required, type FieldError } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import type { Job, JobCondition, JobSpec, JobStatus } from '../../types/generated/batch-v1.ts';
import { readIndexes, findSharedIndex } from './job-policies.ts';

interface Change {
  readonly spec: JobSpec;
  readonly status: JobStatus;
  readonly old: JobStatus;
}

/**
 * Checks only what changed. The file follows kubernetes pkg/apis/batch/validation ValidateJobStatusUpdate and
 * pkg/registry/batch/job getStatusValidationOptions.
 */
export function validateJobStatusUpdate(job: Job, oldJob: Job): FieldErrors {
  const change = { spec: asObject(job.spec), status: asObject(job.status), old: asObject(oldJob.status) };
  return [
    ...(['active', 'succeeded', 'failed', 'ready', 'terminating'] as const).flatMap((field) =>
      validateNonNegative(`status.${field}`, change.status[field]),
    ),
    ...validateUncountedTerminatedPods(change.status),
    ...validateCompletion(change),
    ...validateFinished(change),
    ...validateIndexes(change),
    ...validateRunningPods(change),
    ...validateSuccessCriteriaMet(change),
    ...validateTransitions(change),
  ];
}

const isConditionTrue = (status: JobStatus, type: string): boolean =>
  asList(status.conditions).some((condition) => condition.type === type && condition.status === 'True');

const isFinished = (status: JobStatus): boolean =>
  isConditionTrue(status, 'Complete') || isConditionTrue(status, 'Failed');

const hasChangedCondition = ({ status, old }: Change, type: string): boolean =>
  isConditionTrue(status, type) !== isConditionTrue(old, type);

const hasChanged = ({ status, old }: Change, field: keyof JobStatus): boolean => !sameJson(status[field], old[field]);

const count = (status: JobStatus, field: keyof JobStatus): number => Number(status[field] ?? 0);

/** Upstream prints no value here. */
const newConditionsError = (detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field: 'status.conditions',
  detail,
});

function validateUncountedTerminatedPods(status: JobStatus): FieldErrors {
  const { succeeded, failed } = asObject(status.uncountedTerminatedPods);
  const seen = new Set<string>();
  const check = (uid: string, at: string): FieldErrors => {
    return uid === '' ? [invalidValue(at, '', 'must not be empty')] : validateUnique(seen, at, uid);
  };
  const path = 'status.uncountedTerminatedPods';
  return [...eachText(succeeded, `${path}.succeeded`, check), ...eachText(failed, `${path}.failed`, check)];
}

const errorIfAll = (facts: readonly boolean[], error: () => FieldError): FieldErrors =>
  errorIf(facts.every(Boolean), error);

const isBefore = (completionTime: JsonValue | undefined, startTime: JsonValue | undefined): boolean =>
  completionTime !== undefined && startTime !== undefined && asString(completionTime) < asString(startTime);

function validateCompletion(change: Change): FieldErrors {
  const { status } = change;
  const { completionTime, startTime } = status;
  const at = 'status.completionTime';
  const isComplete = isConditionTrue(status, 'Complete');
  const becomesAny = (...types: readonly string[]): boolean => types.some((type) => hasChangedCondition(change, type));
  const timeMoves = hasChanged(change, 'completionTime');
  const isNew = timeMoves || becomesAny('Complete');
  const isMoved = timeMoves || hasChanged(change, 'startTime');
  const isTimed = completionTime !== undefined;
  const early = isMoved && isBefore(completionTime, startTime);
  return [
    ...errorIfAll([isComplete, isConditionTrue(status, 'Failed'), becomesAny('Complete', 'Failed')], () =>
      newConditionsError('cannot set Complete=True and Failed=true conditions'),
    ),
    ...errorIfAll([isComplete, isConditionTrue(status, 'FailureTarget'), becomesAny('Complete', 'FailureTarget')], () =>
      newConditionsError('cannot set Complete=True and FailureTarget=true conditions'),
    ),
    ...errorIfAll([isNew, isTimed, !isComplete], () =>
      invalidValue(at, completionTime ?? '', 'cannot set completionTime when there is no Complete=True condition'),
    ),
    ...errorIfAll([isNew, !isTimed, isComplete], () => required(at, 'completionTime is required for Complete jobs')),
    ...errorIf(early, () => invalidValue(at, completionTime ?? '', 'must be equal to or after `startTime`')),
  ];
}

function validateFinished(change: Change): FieldErrors {
  const { spec, status, old } = change;
  const hasEnded = isFinished(status);
  const endsOr = (field: keyof JobStatus): boolean => hasEnded !== isFinished(old) || hasChanged(change, field);
  const isEmpty = [spec.suspend === true, spec.completions === 0].every(Boolean);
  const pods = asObject(status.uncountedTerminatedPods);
  const uncounted = asList(pods.failed).length + asList(pods.succeeded).length;
  const failsNow = hasChangedCondition(change, 'Failed') || hasChanged(change, 'failedIndexes');
  const succeedsNow = hasChangedCondition(change, 'Complete') || hasChangedCondition(change, 'SuccessCriteriaMet');
  return [
    ...errorIfAll([failsNow, isConditionTrue(status, 'Failed'), !isConditionTrue(status, 'FailureTarget')], () =>
      newConditionsError('cannot set Failed=True condition without the FailureTarget=true condition'),
    ),
    ...errorIfAll(
      [succeedsNow, isConditionTrue(status, 'Complete'), !isConditionTrue(status, 'SuccessCriteriaMet')],
      () => newConditionsError('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'),
    ),
    ...errorIfAll([hasEnded, endsOr('active'), count(status, 'active') > 0], () =>
      invalidValue('status.active', count(status, 'active'), 'active>0 is invalid for finished job'),
    ),
    ...errorIfAll([hasEnded, endsOr('startTime'), !isEmpty, status.startTime === undefined], () =>
      required('status.startTime', 'startTime is required for finished job'),
    ),
    ...errorIfAll([hasEnded, endsOr('uncountedTerminatedPods'), uncounted > 0], () =>
      invalidValue(
        'status.uncountedTerminatedPods',
        toInternalForm('*batch.UncountedTerminatedPods', pods) ?? null,
        'must be empty for finished job',
      ),
    ),
  ];
}

function validateIndexes(change: Change): FieldErrors {
  const { spec, status } = change;
  const { completions, backoffLimitPerIndex: perIndex } = spec;
  const [completed, failed] = [asString(status.completedIndexes), status.failedIndexes];
  const failedText = asString(failed);
  const [completedAt, failedAt] = ['status.completedIndexes', 'status.failedIndexes'];
  const isCounted = completions !== undefined;
  const completedChanged = hasChanged(change, 'completedIndexes');
  const isFailed = [failed !== undefined, hasChanged(change, 'failedIndexes')].every(Boolean);
  const isCompared = [isCounted, failed !== undefined, completedChanged || isFailed].every(Boolean);
  const shared = isCompared ? findSharedIndex(completed, failedText, Number(completions)) : undefined;
  return [
    ...(isCounted && completedChanged ? validateIndexesFormat(completedAt, completed, Number(completions)) : []),
    ...([isFailed, isCounted, perIndex !== undefined].every(Boolean)
      ? validateIndexesFormat(failedAt, failedText, Number(completions))
      : []),
    ...errorIfAll([completedChanged, completed !== '', spec.completionMode !== 'Indexed'], () =>
      invalidValue(completedAt, completed, 'cannot set non-empty completedIndexes when non-indexed completion mode'),
    ),
    ...errorIfAll([isFailed, perIndex === undefined], () =>
      invalidValue(failedAt, failedText, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'),
    ),
    ...errorIf(shared !== undefined, () =>
      invalidValue(failedAt, failedText, `failedIndexes and completedIndexes overlap at index: ${shared}`),
    ),
  ];
}

function validateIndexesFormat(field: string, text: string, completions: number): FieldErrors {
  const reading = readIndexes(text, completions);
  const name = field.slice('status.'.length);
  return 'problem' in reading ? [invalidValue(field, text, `error parsing ${name}: ${reading.problem}`)] : [];
}

function validateRunningPods(change: Change): FieldErrors {
  const { status, old } = change;
  const [ready, terminating] = [count(status, 'ready'), count(status, 'terminating')];
  const ends = isFinished(status) !== isFinished(old);
  const isCounted = hasChanged(change, 'ready') || hasChanged(change, 'active');
  return [
    ...errorIf((ends || hasChanged(change, 'terminating')) && isFinished(status) && terminating > 0, () =>
      invalidValue('status.terminating', terminating, 'terminating>0 is invalid for finished job'),
    ),
    ...errorIf(status.ready !== undefined && isCounted && ready > count(status, 'active'), () =>
      invalidValue('status.ready', ready, 'cannot set more ready pods than active'),
    ),
  ];
}

function validateSuccessCriteriaMet({ spec, status }: Change): FieldErrors {
  const isMet = isConditionTrue(status, 'SuccessCriteriaMet');
  return [
    ...errorIf(isMet && isConditionTrue(status, 'Failed'), () =>
      newConditionsError('cannot set SuccessCriteriaMet=True and Failed=true conditions'),
    ),
    ...errorIf(isMet && isConditionTrue(status, 'FailureTarget'), () =>
      newConditionsError('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'),
    ),
    ...errorIf(spec.successPolicy !== undefined && !isMet && isConditionTrue(status, 'Complete'), () =>
      newConditionsError('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'),
    ),
  ];
}

/** Terminal conditions stay, counters only grow. */
function validateTransitions(change: Change): FieldErrors {
  const { spec, status, old } = change;
  const reverted = (type: string): boolean => isConditionTrue(old, type) && !isConditionTrue(status, type);
  const isElastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  const { completionTime, startTime } = status;
  const isResumed = isConditionTrue(old, 'Suspended') && asList(status.conditions).some(isNotSuspended);
  const startMoved = old.startTime !== undefined && hasChanged(change, 'startTime') && spec.suspend !== true;
  const fewer = (field: 'failed' | 'succeeded'): FieldErrors =>
    errorIf(count(status, field) < count(old, field), () =>
      invalidValue(`status.${field}`, count(status, field), `cannot decrease the ${field} counter`),
    );
  return [
    ...['Failed', 'Complete', 'FailureTarget']
      .filter(reverted)
      .map((type) => newConditionsError(`cannot disable the terminal ${type}=True condition`)),
    ...fewer('failed'),
    ...(isElastic ? [] : fewer('succeeded')),
    ...errorIf(
      completionTime !== undefined && old.completionTime !== undefined && hasChanged(change, 'completionTime'),
      () => invalidValue('status.completionTime', completionTime ?? '', 'field is immutable'),
    ),
    ...errorIf(startMoved && !isResumed, () =>
      invalidValue('status.startTime', startTime ?? null, 'field is immutable for unsuspended job once set'),
    ),
    ...errorIf(reverted('SuccessCriteriaMet'), () =>
      newConditionsError('cannot disable the SuccessCriteriaMet=True condition'),
    ),
    ...errorIf(
      isConditionTrue(old, 'Complete') &&
        !isConditionTrue(old, 'SuccessCriteriaMet') &&
        isConditionTrue(status, 'SuccessCriteriaMet'),
      () => newConditionsError('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'),
    ),
  ];
}

const isNotSuspended = ({ type, status }: JobCondition): boolean => type === 'Suspended' && status === 'False';
