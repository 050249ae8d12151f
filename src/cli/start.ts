import { main } from './main.js';

// oclif names the user's shell. Where SHELL is not set it reads the user's entry in /etc/passwd, and fails for a user without one, as in a container.
if (process.platform !== 'win32') process.env['SHELL'] ??= 'sh';

await main(process.argv.slice(2));
