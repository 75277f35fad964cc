import { sameGvk, sameGvr } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { ViewAs } from '../matching/versions.ts';
import { makeVariables } from './policy-variables.ts';
import type { PolicyView } from './policy-variables.ts';

/** What a policy that matched the request as something sees, whatever its params are. */
export type Seen =
  | ({ readonly outcome: 'seen' } & Omit<PolicyView, 'params' | 'authorize'>)
  | { readonly outcome: 'inconvertible'; readonly error: string };

/** The same for all policies that matched a request, which nothing changes meanwhile, as the same. */
export function policyViews(
  viewAs: ViewAs,
  namespace: KubernetesObject | null,
): (as: PolicyView['as']) => Promise<Seen> {
  const known: { readonly as: PolicyView['as']; readonly seen: Promise<Seen> }[] = [];
  const see = async (as: PolicyView['as']): Promise<Seen> => {
    const viewed = await viewAs(as.kind);
    if (viewed.outcome === 'inconvertible') return viewed;
    const { view } = viewed;
    return { outcome: 'seen', view, as, made: makeVariables(view, as, namespace) };
  };
  return (as) => {
    const found = known.find(({ as: one }) => sameGvk(one.kind, as.kind) && sameGvr(one.resource, as.resource));
    if (found) return found.seen;
    const seen = see(as);
    known.push({ as, seen });
    return seen;
  };
}
