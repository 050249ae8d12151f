/** The dashboard's entry point. */
import { render } from 'preact';
import { keepFocus } from '../kit/focus.js';
import { showEverything } from '../kit/text/shown.js';
import { App } from './app.js';
import '../kit/styles/base.css';
import '../kit/styles/controls.css';
import '../kit/styles/layout.css';
import '../kit/styles/tables.css';
import '../kit/styles/forms.css';
import '../kit/styles/charts.css';
import './styles.css';
import '../kit/styles/print.css';

showEverything();
keepFocus();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
