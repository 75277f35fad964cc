import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { invalid, notFound, notImplemented, type Status } from '../../../machinery/meta/status.ts';
import { checkReview } from '../../auth/reviews/answer-review.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { withResponse, withParts, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';

/** Runs before validating admission. */
export const refuseBadReview: Stage = {
  name: 'check-review',
  run: async (exchange) => {
    const { info, codec } = requirePart(exchange.target, 'target');
    const sound = checkReview(objectOf(exchange), info.namespace, codec.types.minor);
    return sound.ok ? ok(exchange) : sound;
  },
};

/** Answered, never stored. */
export const answerReviewStage = (deps: HandlerDeps): Stage => ({
  name: 'answer-review',
  run: async (exchange) => {
    const { info, resource, codec } = requirePart(exchange.target, 'target');
    const { user } = exchange;
    const answer = await deps.virtual.answerReview(objectOf(exchange), user, info.namespace);
    if (!answer) return refuse(notImplemented(`${resource.resource} are not answered here`));
    return answer.ok ? ok(withResponse(exchange, 201, codec.printed(answer.value))) : answer;
  },
});

const serviceAccounts = { group: '', resource: 'serviceaccounts' };

const otherName = (account: string, name: string): Status =>
  invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, account, [
    invalidValue('metadata.name', name, 'must match the service account name if specified'),
  ]);

/** Runs before validating admission. Follows kubernetes pkg/registry/core/serviceaccount/storage/token.go. */
export const completeTokenRequestStage = (deps: HandlerDeps): Stage => ({
  name: 'complete-token-request',
  run: async (exchange) => {
    const { info } = requirePart(exchange.target, 'target');
    const account = deps.cluster.get(serviceAccounts, info.namespace, info.name);
    const { name = '' } = metadataOf(objectOf(exchange));
    if (name !== '' && name !== info.name) return refuse(otherName(info.name, name));
    if (!account) return refuse(notFound(serviceAccounts, info.name));
    const object = withMetadata(objectOf(exchange), {
      name: info.name,
      namespace: info.namespace,
      uid: metadataOf(account).uid ?? '',
      creationTimestamp: formatTime(deps.clock.now()),
    });
    const completed = deps.virtual.completeToken(object);
    return completed.ok ? ok(withParts(exchange, { object: completed.value })) : completed;
  },
});

export const issueToken = (deps: HandlerDeps): Stage => ({
  name: 'issue-token',
  run: async (exchange) => {
    const { info, codec } = requirePart(exchange.target, 'target');
    const account = deps.cluster.get(serviceAccounts, info.namespace, info.name);
    if (!account) return refuse(notFound(serviceAccounts, info.name));
    const token = await deps.virtual.issueToken(objectOf(exchange), account);
    return token.ok ? ok(withResponse(exchange, 201, codec.printed(token.value))) : token;
  },
});
