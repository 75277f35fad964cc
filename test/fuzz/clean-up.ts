import { type Case, request } from './case.ts';
import { runActs, type TestBed } from './run-acts.ts';
import { allowing } from './webhook.ts';

const admission = '/apis/admissionregistration.k8s.io/v1';
const collections = [
  `${admission}/mutatingwebhookconfigurations`,
  `${admission}/validatingwebhookconfigurations`,
  `${admission}/validatingadmissionpolicybindings`,
] as const;

/** Deletes the registrations of a case, which would affect the next one: its webhook does not respond any more. */
export async function cleanUp(stage: TestBed, acts: Case): Promise<void> {
  stage.webhook.answerWith(allowing);
  if (!acts.some((act) => act.act === 'request' && act.path.includes('admissionregistration'))) return;
  for (const collection of collections) {
    const { answers } = await runActs(stage, [request('DELETE', collection), request('GET', `${collection}?limit=20`)]);
    const left = namesIn(answers[1]?.text ?? '');
    const unhold = { metadata: { finalizers: null } };
    const type = 'application/merge-patch+json';
    await runActs(
      stage,
      left.map((name) => request('PATCH', `${collection}/${name}`, unhold, type)),
    );
  }
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/"metadata":\{"name":"([^"]+)"/g)].map(([, name]) => name ?? '');
