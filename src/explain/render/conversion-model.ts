import { groupBy } from '../../machinery/lists.ts';
import { asString, valueAt } from '../../machinery/json/json.ts';
import { adviceForCall } from '../findings/failure-advice.ts';
import { durationText } from '../trace/sentences.ts';
import type { Trace, TracedConversion } from '../trace/trace.ts';

/** The conversions between two versions in one stage, in one line. */
export interface ConversionModel {
  readonly outcome: TracedConversion['outcome'];
  /** `Widget web`, or of many `12 Widgets`. */
  readonly subject: string;
  /** `from example.com/v1 to example.com/v2 by https://…/convert in 2.1 ms, for load-current`. */
  readonly sentence: string;
  /** Of a failed one: the error and the remedies. */
  readonly error: string;
  readonly advice: readonly string[];
}

export const conversionModels = ({ conversions = [] }: Pick<Trace, 'conversions'>): readonly ConversionModel[] =>
  [...groupBy(conversions, conversionKey).values()].map(modelOfGroup);

const conversionKey = ({ definition, from, to, strategy, stage, error = '' }: TracedConversion): string =>
  [definition, from, to, strategy, stage, error].join(' ');

function modelOfGroup(group: readonly [TracedConversion, ...TracedConversion[]]): ConversionModel {
  const [first] = group;
  const { outcome, kind, from, to, stage, error = '' } = first;
  const milliseconds = group.reduce((sum, one) => sum + one.milliseconds, 0);
  const names = [...new Set(group.map(({ namespace, name }) => `${namespace}/${name}`))];
  const subject = names.length === 1 ? `${kind} ${first.name}` : `${names.length} objects of kind ${kind}`;
  const times = group.length > names.length ? `, ${group.length} times` : '';
  const how =
    first.strategy === 'None' ? 'by strategy None: only its apiVersion changes' : byWebhook(first, milliseconds);
  return {
    outcome,
    subject,
    sentence: `from ${from} to ${to} ${how}${times}${stage === '' ? '' : ` (${stage})`}`,
    error,
    advice: outcome === 'failed' ? adviceOf(first) : [],
  };
}

const byWebhook = (one: TracedConversion, milliseconds: number): string =>
  `by ${converterText(one)} in ${durationText(milliseconds)}`;

/** The configured URL or Service, and the URL that was called. */
function converterText({ clientConfig, url }: TracedConversion): string {
  const own = asString(clientConfig?.['url']);
  if (own !== '') return own;
  const [namespace, name, path] = ['namespace', 'name', 'path'].map((field) =>
    asString(valueAt(clientConfig, 'service', field)),
  );
  return `Service ${namespace}/${name}${path}${url === undefined ? '' : ` at ${url}`}`;
}

const badAnswer =
  'the response must be a ConversionReview with response.uid, response.result.status Success and, in order, an object of the wanted apiVersion for each that was sent, its name, namespace and uid kept';

const statusAdvice = (code: number): string =>
  code === 404
    ? 'the converter does not serve this path: correct the path in spec.conversion.webhook.clientConfig'
    : `the converter responded with HTTP status ${code}: check its log`;

function adviceOf({ clientConfig = {}, failurePhase, failureCause, certificate }: TracedConversion): readonly string[] {
  if (failurePhase === undefined) return [];
  if (failureCause?.because === 'http-status') return [statusAdvice(failureCause.code)];
  if (failurePhase === 'answer') return [badAnswer];
  if (failurePhase === 'failure') return ['the converter reported the failure (response.result): check its log'];
  if (failurePhase === 'timeout') return ['a converter has 30 s, whatever timeout the client sets: make it faster'];
  const known = { ...(failureCause && { failureCause }), ...(certificate && { certificate }) };
  return adviceForCall({ failurePhase, definition: { clientConfig }, ...known });
}

/** The conversion that refused the request, if one did. */
export const conversionAtFault = (trace: Trace): TracedConversion | undefined =>
  trace.verdict === 'refused'
    ? trace.conversions?.find(
        ({ error }) => error !== undefined && asString(trace.response.status?.['message']).includes(error),
      )
    : undefined;
