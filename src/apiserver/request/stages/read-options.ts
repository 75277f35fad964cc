import { createDeadline, noDeadline } from '../../../machinery/meta/deadline.ts';
import { ok } from '../../../machinery/meta/result.ts';
import { withParts, type Exchange } from '../exchange.ts';
import { requestDeadline, readWriteOptions } from '../write-options.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { mediaTypeOf } from './decode-body.ts';

/** Also sets the deadline for webhooks. */
export const readOptions = (kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'): Stage => ({
  name: 'read-options',
  run: async (exchange) => {
    const isApply = kind === 'PatchOptions' && isApplyPatch(exchange);
    const options = readWriteOptions(exchange.request.query, kind, isApply);
    return options.ok ? ok(withParts(exchange, { options: options.value })) : options;
  },
});

export const isApplyPatch = (exchange: Exchange): boolean =>
  mediaTypeOf(exchange.request.headers['content-type']) === 'application/apply-patch+yaml';

/** Custom resources have one already. */
export const setDeadline = (deps: HandlerDeps, isOneWrite: boolean): Stage => ({
  name: 'set-deadline',
  run: async (exchange) => ok(exchange.deadline === noDeadline ? withDeadline(deps, exchange, isOneWrite) : exchange),
});

/** `isOneWrite` limits the time to 34 s (rule FAIL-41). */
export function withDeadline(
  { maxRequestMs: maxMs }: Pick<HandlerDeps, 'maxRequestMs'>,
  exchange: Exchange,
  isOneWrite: boolean,
): Exchange {
  const { request, journal } = exchange;
  const { at, by } = requestDeadline(request.query, request.receivedAt, { isOneWrite, maxMs });
  return withParts(exchange, { deadline: createDeadline(at, journal.now), deadlineSource: by });
}
