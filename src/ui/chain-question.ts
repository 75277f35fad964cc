import type { JsonObject } from '../machinery/json/json.ts';
import type { ChainChoices, ChainResource } from '../explain/trace/chain-document.ts';

export interface ChainQuestion {
  readonly verb: ChainVerb;
  /** As kubectl writes it: `pods`, `deployments.apps`, `deploy`, `pods/exec`. */
  readonly resource: string;
  readonly namespace: string;
  readonly user: string;
  /** YAML or JSON; the default of the resource. */
  readonly manifest: string;
}

export const chainVerbs = ['create', 'update', 'patch', 'delete', 'connect'] as const;
export type ChainVerb = (typeof chainVerbs)[number];

const administrator = 'kubernetes-admin';

export const defaultQuestion: ChainQuestion = {
  verb: 'create',
  resource: 'pods',
  namespace: 'default',
  user: administrator,
  manifest: '',
};

/** `deployments.apps/scale`. */
export const chainResourceName = ({ group, resource, subresource }: ChainResource): string =>
  `${group === '' ? resource : `${resource}.${group}`}${subresource === '' ? '' : `/${subresource}`}`;

/** Throws an Error for an invalid question. */
export function toChainRequest(question: ChainQuestion, choices: ChainChoices): JsonObject {
  const { verb, resource, namespace, user, manifest } = question;
  const requester = { user, groups: user === administrator ? ['system:masters'] : [] };
  const word = resource.trim();
  if (word === '') {
    if (manifest.trim() === '') throw new Error('Which resource? Give its name, or a manifest.');
    return { verb, namespace, ...requester, manifest };
  }
  const match = choices.resources.find((candidate) => listResourceNames(candidate).includes(word));
  if (!match) throw new Error(`This server has no resource ${word}.`);
  const { group, version, resource: plural, subresource } = match;
  return { verb, group, version, resource: plural, subresource, namespace, ...requester, manifest };
}

/** `deployments`, `deployments.apps`, `deploy`, each with the subresource. */
function listResourceNames(chainResource: ChainResource): readonly string[] {
  const { resource, subresource, shortNames } = chainResource;
  const behind = subresource === '' ? '' : `/${subresource}`;
  return [chainResourceName(chainResource), ...[resource, ...shortNames].map((name) => `${name}${behind}`)];
}
