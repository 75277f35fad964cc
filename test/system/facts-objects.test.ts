import { describeFacts } from '../harness/facts.ts';

describeFacts(['config', 'crud', 'smp', 'defaulting', 'auth', 'discovery']);
