import { describeFacts } from '../harness/facts.ts';

describeFacts(['review', 'rules', 'selectors', 'order', 'patch', 'reinvoke', 'dryrun', 'crd-webhooks', 'conversion']);
