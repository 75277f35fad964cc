import { Agent, request } from 'undici';
import { type Kadmit, startKadmit } from './start-kadmit.ts';
import { startStubWebhooks, type StubWebhooks } from './stub-webhooks.ts';

/** A server with its page, webhooks, and some recorded writes. */
export interface PageWorld {
  readonly server: Kadmit;
  /** Sends a write as the administrator; resolves with the code and the Audit-Id. */
  readonly send: Send;
  /** Three mutating webhooks that change much of a Pod; the first is reinvoked. */
  readonly addMutators: () => Promise<void>;
  /** A webhook that changes the label of label.example.com and is called after it. */
  readonly addRival: () => Promise<void>;
  readonly close: () => Promise<void>;
}

type Send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<Sent>;

interface Sent {
  readonly code: number;
  readonly id: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const secretText = 'correct-horse-battery';

const answers = {
  '/label': {
    patch: [{ op: 'add', path: '/metadata/labels/tier', value: 'front' }],
    warnings: ['tier was missing'],
  },
  '/back': { patch: [{ op: 'add', path: '/metadata/labels/tier', value: 'back' }] },
  '/allow': { allow: true },
  '/names': {
    whenLabel: 'bad',
    // oxlint-disable-next-line unicorn/no-thenable -- what the stub does when the label is there
    then: { allow: false, status: { message: 'this name is taken', code: 403 } },
    else: { allow: true },
  },
  '/annotate': {
    patch: [
      {
        op: 'add',
        path: '/metadata/annotations',
        value: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`example.com/key-${at}`, `value ${at}`])),
      },
    ],
  },
  '/sidecar': { patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'proxy', image: 'proxy:1' } }] },
  '/secret': { patch: [{ op: 'add', path: '/data/extra', value: base64(`${secretText}-too`) }] },
};

/** Starts everything: two configurations, Pods admitted and denied, a Secret, a webhook that does not respond. */
export async function startPageWorld(): Promise<PageWorld> {
  const stubs = await startStubWebhooks();
  stubs.answerWith(answers);
  const server = await startKadmit({ uiPort: 0 });
  const agent = new Agent({ connect: { ca: server.caPem } });
  const send: Send = async (method, path, body) => {
    const answer = await request(server.url + path, {
      method,
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${server.token}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.body.dump();
    return { code: answer.statusCode, id: String(answer.headers['audit-id']) };
  };
  await createObjects(send, stubs);
  return {
    server,
    send,
    addMutators: async () => {
      await send('POST', `${group}/mutatingwebhookconfigurations`, {
        metadata: { name: 'rounds' },
        webhooks: [
          hookOf(stubs, 'annotate.example.com', '/annotate', { reinvocationPolicy: 'IfNeeded' }),
          hookOf(stubs, 'again.example.com', '/label', { reinvocationPolicy: 'IfNeeded' }),
          hookOf(stubs, 'sidecar.example.com', '/sidecar'),
        ],
      });
    },
    addRival: async () => {
      const webhooks = [hookOf(stubs, 'back.example.com', '/back')];
      await send('POST', `${group}/mutatingwebhookconfigurations`, { metadata: { name: 'rival' }, webhooks });
    },
    close: async () => {
      await agent.close();
      await server.close();
      await stubs.close();
    },
  };
}

export const pods = '/api/v1/namespaces/shop/pods';

export const pod = (name: string, labels: object = { app: 'web' }): object => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'web', image: 'nginx' }], serviceAccountName: 'default' },
});

const group = '/apis/admissionregistration.k8s.io/v1';

const hookOf = (stubs: StubWebhooks, name: string, path: string, over: object = {}) => ({
  name,
  clientConfig: { url: `https://127.0.0.1:${stubs.ports.get(18443)}${path}`, caBundle: stubs.caBundle },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...over,
});

async function createObjects(send: Send, stubs: StubWebhooks): Promise<void> {
  const hook = (name: string, path: string, over: object = {}) => hookOf(stubs, name, path, over);
  const secrets = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];
  const mutating = [
    hook('label.example.com', '/label'),
    hook('red.example.com', '/allow', { namespaceSelector: { matchLabels: { team: 'red' } } }),
    hook('secret.example.com', '/secret', { rules: secrets }),
  ];
  const gone = { clientConfig: { url: 'https://127.0.0.1:1/' }, failurePolicy: 'Ignore', timeoutSeconds: 3 };
  const validating = [hook('names.example.com', '/names'), hook('gone.example.com', '/', gone)];
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop', labels: { team: 'blue' } } });
  await send('POST', '/api/v1/namespaces/shop/serviceaccounts', { metadata: { name: 'default' } });
  await send('POST', `${group}/mutatingwebhookconfigurations`, { metadata: { name: 'mutators' }, webhooks: mutating });
  await send('POST', `${group}/validatingwebhookconfigurations`, {
    metadata: { name: 'checks' },
    webhooks: validating,
  });
  await send('PATCH', `${group}/validatingwebhookconfigurations/checks`, { metadata: { labels: { owner: 'team-a' } } });
  await send('POST', pods, pod('web'));
  await send('POST', pods, pod('denied', { app: 'web', bad: 'yes' }));
  await send('POST', '/api/v1/namespaces/shop/secrets', {
    metadata: { name: 'db' },
    stringData: { password: secretText },
  });
}
