import type { Exchange } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';

/** Warns who lists or watches one object by its name, as `kubectl rollout status` and `kubectl wait` do. */
export function warnOfPending(
  { pendingWarning }: Pick<HandlerDeps, 'pendingWarning'>,
  { target, request, journal }: Exchange,
): void {
  const [, name] = /^metadata\.name=([^,=]+)$/.exec(request.query.get('fieldSelector') ?? '') ?? [];
  if (!target || name === undefined) return;
  const warning = pendingWarning?.(target.resource, target.info.namespace, name);
  if (warning !== undefined) journal.warn(warning);
}
