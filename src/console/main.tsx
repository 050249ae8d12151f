/** The console's beginning. */
import { render } from 'preact';
import { App } from './app.js';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/pages.css';
import './styles/forms.css';
import './styles/results.css';
import './styles/charts.css';
import './styles/forced-colors.css';

const root = document.getElementById('root');
if (root !== null) render(<App />, root);
