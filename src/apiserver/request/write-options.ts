import { requestSeconds } from '../../machinery/meta/deadline.ts';
import { readGoDuration } from '../../machinery/go/go-duration.ts';
import {
  type FieldError,
  forbiddenField,
  notSupported,
  notSupportedText,
  required,
} from '../../machinery/meta/field-error.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { fieldManagerErrors } from '../../machinery/meta/names.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { invalid } from '../../machinery/meta/status.ts';
import { isTrueParameter } from './request-info.ts';

export interface DecodedWriteOptions {
  readonly dryRun: readonly string[];
  /** '' when absent. */
  readonly fieldManager: string;
  /** '' means Warn. */
  readonly fieldValidation: string;
  readonly force: boolean | undefined;
}

export const noOptions: DecodedWriteOptions = { dryRun: [], fieldManager: '', fieldValidation: '', force: undefined };

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

export const isDryRun = (options: DecodedWriteOptions): boolean => options.dryRun.includes('All');

/**
 * 422 for invalid options; `isApply`: an apply patch. Follows apimachinery pkg/apis/meta/v1/validation/validation.go
 * (rule DRY-1).
 */
export function readWriteOptions(
  query: URLSearchParams,
  kind: OptionsKind,
  isApply = false,
): Result<DecodedWriteOptions> {
  if (query.size === 0 && !isApply) return ok(noOptions);
  const force = query.get('force');
  const options: DecodedWriteOptions = {
    dryRun: query.getAll('dryRun'),
    fieldManager: query.get('fieldManager') ?? '',
    fieldValidation: query.get('fieldValidation') ?? '',
    force: force === null ? undefined : isTrueParameter(force),
  };
  const errors = [...applyErrors(options, kind, isApply), ...optionErrors(options)];
  if (errors.length > 0) return refuse(invalid({ group: 'meta.k8s.io', kind }, '', errors));
  return ok(options);
}

function applyErrors(options: DecodedWriteOptions, kind: OptionsKind, isApply: boolean): readonly FieldError[] {
  if (kind !== 'PatchOptions') return [];
  if (!isApply) {
    return options.force === undefined ? [] : [forbiddenField('force', 'may not be specified for non-apply patch')];
  }
  return options.fieldManager === '' ? [required('fieldManager', 'is required for apply patch')] : [];
}

function optionErrors({ fieldManager, dryRun, fieldValidation }: DecodedWriteOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  errors.push(...fieldManagerErrors(fieldManager, 'fieldManager'));
  errors.push(...dryRunErrors(dryRun));
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    errors.push(notSupportedText('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  return errors;
}

export const dryRunErrors = (dryRun: readonly string[]): readonly FieldError[] =>
  dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];

/** For AdmissionReview; a PATCH sends CreateOptions or UpdateOptions (rule REV-6). */
export const optionsJson = (kind: 'CreateOptions' | 'UpdateOptions', options: DecodedWriteOptions): JsonObject => ({
  kind,
  apiVersion: 'meta.k8s.io/v1',
  ...(options.dryRun.length === 0 ? {} : { dryRun: options.dryRun }),
  ...(options.fieldManager === '' ? {} : { fieldManager: options.fieldManager }),
  ...(options.fieldValidation === '' ? {} : { fieldValidation: options.fieldValidation }),
});

/** The deadline, of the whole request or of the handler. */
export interface TimeLimit {
  readonly at: number;
  readonly by: 'request' | 'handler';
}

const defaultMaxMs = 60_000;
const maxWriteMs = requestSeconds * 1000;

/**
 * `?timeout=`, at most `maxMs`, at most 34 s for a write of one object. Follows apiserver
 * pkg/endpoints/filters/request_deadline.go (rules FAIL-40, FAIL-41).
 */
export function requestDeadline(
  query: URLSearchParams,
  receivedAt: number,
  { isOneWrite, maxMs = defaultMaxMs }: { readonly isOneWrite: boolean; readonly maxMs?: number | undefined },
): TimeLimit {
  const timeout = query.get('timeout');
  const requested = (timeout !== null && readGoDuration(timeout)) || 0; // Invalid durations are refused earlier.
  const wanted = requested <= 0 || requested > maxMs ? maxMs : requested;
  const isCapped = isOneWrite && wanted > maxWriteMs;
  return { at: receivedAt + (isCapped ? maxWriteMs : wanted), by: isCapped ? 'handler' : 'request' };
}
