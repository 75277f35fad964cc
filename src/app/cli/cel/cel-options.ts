import { celContexts } from './context.ts';
import type { CelContext } from './context.ts';
import { outputFlag, switchFlag, textFlag, readChoice } from '../../../adapters/config/flags/common-flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface CelOptions {
  readonly object: string;
  readonly oldObject: string;
  readonly request: string;
  readonly params: string;
  readonly namespaceObject: string;
  readonly schema: string;
  readonly context: CelContext | undefined;
  readonly cases: string;
  readonly explain: boolean;
  readonly output: 'text' | 'json' | 'yaml';
}

const file = (name: string, help: string) => textFlag(name, 'FILE', help);

/** The flags of `kadmit cel`, in the order of its help. */
export const celFlags: FlagsOf<CelOptions> = {
  object: file('object', 'the variable object; self with --context crd'),
  oldObject: file('old-object', 'the variable oldObject; oldSelf with --context crd'),
  request: file('request', 'the variable request, or an AdmissionReview, which also brings the objects'),
  params: file('params', 'the variable params, with --context validation'),
  namespaceObject: file('namespace-object', 'the variable namespaceObject'),
  schema: file('schema', 'with --context crd: the OpenAPI schema, or the CustomResourceDefinition, of self'),
  context: {
    name: 'context',
    argument: celContexts.join('|'),
    help: 'where the expression would stand; without it, the variables of matchConditions and any type of result',
    fallback: undefined,
    read: readChoice<CelContext>(celContexts),
  },
  cases: file('cases', 'evaluate a list of cases instead, one JSON result a line'),
  explain: switchFlag('explain', 'show what every part of the expression came to'),
  output: outputFlag,
};

export function celHelp(): string {
  const lines = Object.values(celFlags).flatMap(({ name, argument, help, isSwitch }) => [
    `  --${name}${isSwitch ? '' : ` ${argument}`}`,
    `        ${help}`,
  ]);
  return [
    'usage: kadmit cel EXPRESSION [FLAGS]',
    '       kadmit cel --cases FILE',
    '',
    'Evaluates an expression as the API server would. FILE is JSON or YAML; - is standard input.',
    'An expression that begins with a dash goes after all flags, behind --.',
    '',
    ...lines,
  ].join('\n');
}
