/** The dashboard's entry point. */
import { render } from 'preact';
import { showEverything } from '../kit/text/shown.js';
import { App } from './app.js';
import '../kit/styles/base.css';
import '../kit/styles/controls.css';
import '../kit/styles/layout.css';
import '../kit/styles/pages.css';
import '../kit/styles/forms.css';
import '../kit/styles/results.css';
import '../kit/styles/charts.css';
import '../kit/styles/forced-colors.css';
import './styles/dashboard.css';
import './styles/insight.css';
import './styles/population.css';
import '../kit/styles/print.css';

showEverything();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
