import { render } from 'preact';
import { Playground } from './playground.tsx';
import '../style.css';
import './playground.css';

const root = document.getElementById('page');
const isEmbedded = new URLSearchParams(location.search).has('embed');
if (root !== null) render(<Playground isEmbedded={isEmbedded} />, root);
