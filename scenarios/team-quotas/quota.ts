interface Review {
  readonly request: {
    readonly namespace: string;
    readonly subResource?: string;
    readonly object: { readonly spec: { readonly replicas: number; readonly template?: PodTemplate } };
  };
}

interface PodTemplate {
  readonly spec: { readonly containers: readonly Container[] };
}

interface Container {
  readonly name: string;
  readonly resources?: { readonly requests?: { readonly cpu?: string } };
}

/** CPUs that one Deployment of a team may ask for, by namespace; and how often it may be there. */
const cpusOf: Readonly<Record<string, number>> = { red: 4, blue: 16 };
const mostReplicas = 5;

/** Refuses a Deployment that asks for more than its team has. */
export default function review({ request }: Review) {
  const { namespace, subResource, object } = request;
  const { replicas, template } = object.spec;
  if (subResource === 'scale') {
    return replicas > mostReplicas ? denied(`a Deployment of team ${namespace} may have ${mostReplicas} replicas`) : allowed;
  }
  const containers = template?.spec.containers ?? [];
  const vague = containers.find(({ resources }) => resources?.requests?.cpu === undefined);
  if (vague) return denied(`container ${vague.name} needs resources.requests.cpu, for example 500m`);
  const asked = replicas * containers.reduce((sum, { resources }) => sum + cpus(resources?.requests?.cpu ?? '0'), 0);
  const quota = cpusOf[namespace] ?? 0;
  if (asked <= quota) return allowed;
  return denied(`team ${namespace} may use ${quota} CPUs in a Deployment, this one asks for ${asked}`);
}

const allowed = { allowed: true };
const denied = (message: string) => ({ allowed: false, status: { code: 403, message } });
const cpus = (quantity: string): number => (quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity));
