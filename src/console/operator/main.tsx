/** The console's entry point. */
import { render } from 'preact';
import { keepFocus } from '../kit/focus.js';
import { showEverything } from '../kit/text/shown.js';
import { App } from './app.js';
import { takeLinks } from './session/login.js';
import '../kit/styles/base.css';
import '../kit/styles/controls.css';
import '../kit/styles/layout.css';
import '../kit/styles/tables.css';
import '../kit/styles/forms.css';
import '../kit/styles/charts.css';
import './styles/pages.css';
import './styles/mission.css';
import '../kit/styles/print.css';

const links = takeLinks();
showEverything();
keepFocus();
const root = document.getElementById('root');
if (root !== null) render(<App links={links} />, root);
