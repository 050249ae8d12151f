/** The licences of packages in one text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './machine.mjs';

const isNotice = (name) => /^(?:licen[cs]e|notice|copying|copyright)(?:[.-].*)?$/i.test(name);
const line = '-'.repeat(80);

/** Returns for each of `packages` ({ at, name, version, license }) its name, its licence, and the texts that it comes with. */
export function notices(packages) {
  const texts = packages.map(({ at, name, version, license }) => {
    const files = readdirSync(join(root, at)).filter(isNotice).sort();
    const text = files
      .map((file) =>
        readFileSync(join(root, at, file), 'utf8')
          .replaceAll('\r\n', '\n')
          .trim(),
      )
      .join('\n\n');
    return `${line}\n${name} ${version}\nLicence: ${license}\n${text === '' ? '' : `\n${text}\n`}`;
  });
  return `agent-cli includes these packages, each under its own licence.\n\n${texts.join('\n')}`;
}
