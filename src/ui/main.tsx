import { render } from 'preact';
import { App } from './app.tsx';
import { createFileSource } from './traces-source.ts';
import { createServerSource } from './server-source.ts';
import './style.css';

// The token is a cookie now: remove it from the address and the history.
if (location.search !== '' && location.protocol !== 'file:')
  history.replaceState(null, '', location.pathname + location.hash);

const root = document.getElementById('page');
const source = (await createFileSource()) ?? createServerSource();
if (root !== null) render(<App source={source} />, root);
