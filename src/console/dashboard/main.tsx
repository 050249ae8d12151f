/** The dashboard's beginning. */
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import { App } from './app.js';
import '../styles/base.css';
import '../styles/controls.css';
import '../styles/layout.css';
import '../styles/pages.css';
import '../styles/forms.css';
import '../styles/results.css';
import '../styles/charts.css';
import '../styles/forced-colors.css';
import './styles/dashboard.css';
import './styles/insight.css';
import './styles/population.css';

const root = document.getElementById('root');
if (root !== null) render(<App />, root);
