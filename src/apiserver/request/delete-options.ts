import { type FieldError, invalidValue, notSupported } from '../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { parseInt64 } from '../../machinery/go/strconv.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { badRequest, invalid, type Status } from '../../machinery/meta/status.ts';
import { isTrueParameter } from './request-info.ts';
import { dryRunErrors } from './write-options.ts';

/** From the body or, without one, the query. */
export interface DecodedDeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly dryRun: readonly string[];
  /** Only with the gate of unsafe deletions. */
  readonly ignoreStoreReadError?: boolean;
}

/** `unsafe`: the gate of unsafe deletions is on. */
export const readDeleteOptionsBody = (body: JsonObject, unsafe = false): Result<DecodedDeleteOptions> =>
  validateDeleteOptions({ ...decodeDeleteOptions(body), ...(unsafe && body[ignoreField] === true && ignoring) });

const ignoreField = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const ignoring = { ignoreStoreReadError: true } as const;

/** Without validation, for an Eviction. */
export function decodeDeleteOptions(body: JsonObject): DecodedDeleteOptions {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy } = body;
  const { uid, resourceVersion } = asObject(preconditions);
  return {
    gracePeriodSeconds: typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined,
    preconditions: isJsonObject(preconditions)
      ? {
          ...(typeof uid === 'string' ? { uid } : {}),
          ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
        }
      : undefined,
    orphanDependents: typeof orphanDependents === 'boolean' ? orphanDependents : undefined,
    propagationPolicy: typeof propagationPolicy === 'string' ? propagationPolicy : undefined,
    dryRun: asList(body['dryRun']).map(asString),
  };
}

/** A body overrides the query (rule DRY-8). */
export function readQueryDeleteOptions(query: URLSearchParams, unsafe = false): Result<DecodedDeleteOptions> {
  const grace = query.get('gracePeriodSeconds');
  const seconds = grace === null ? undefined : parseInt64(grace);
  if (seconds?.outcome === 'unparsable') return refuse(badRequest(seconds.error));
  const orphan = query.get('orphanDependents');
  return validateDeleteOptions({
    gracePeriodSeconds: seconds?.value,
    preconditions: readQueryPreconditions(query),
    orphanDependents: orphan === null ? undefined : isTrueParameter(orphan),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    dryRun: query.getAll('dryRun'),
    ...(unsafe && isTrueParameter(query.get(ignoreField) ?? 'false') && ignoring),
  });
}

/** Follows apimachinery pkg/apis/meta/v1/conversion.go Convert_url_Values_To_v1_DeleteOptions. */
function readQueryPreconditions(query: URLSearchParams): DecodedDeleteOptions['preconditions'] {
  const [uid, resourceVersion] = [query.get('uid') ?? '', query.get('resourceVersion') ?? ''];
  if (uid === '' && resourceVersion === '') return undefined;
  return { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}

const policies = ['Foreground', 'Background', 'Orphan'];

/** Follows apimachinery pkg/apis/meta/v1/validation/validation.go ValidateDeleteOptions. */
function validateDeleteOptions(options: DecodedDeleteOptions): Result<DecodedDeleteOptions> {
  const errors: FieldError[] = [];
  const { propagationPolicy, orphanDependents } = options;
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalidValue(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil']));
  }
  errors.push(...dryRunErrors(options.dryRun));
  if (options.ignoreStoreReadError === true) errors.push(...unsafeErrors(options));
  if (errors.length > 0) return refuse(invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors));
  return ok(options);
}

/** Follows the same file, ValidateIgnoreStoreReadError. */
function unsafeErrors(options: DecodedDeleteOptions): readonly FieldError[] {
  const fields = ['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'] as const;
  return fields
    .filter((field) => options[field] !== undefined)
    .map((field) => invalidValue(ignoreField, true, `cannot be set together with .${field}`));
}

/** A deletecollection cannot ignore read errors. Follows apiserver pkg/endpoints/handlers/delete.go. */
export const unsafeCollection: Status = invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
  invalidValue(ignoreField, true, 'is not allowed with DELETECOLLECTION, try again after removing the option'),
]);

/** As completed by the storage, for AdmissionReview (rule REV-7). */
export function deleteOptionsJson(options: DecodedDeleteOptions): JsonObject {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun.length === 0 ? {} : { dryRun }),
  };
}
