import assert from 'node:assert/strict';
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  parseEnvFile,
  simulationEnvironment,
  requiredSettings,
  simulationSettings,
  withPort,
} from '../../../src/app/simulation/settings.js';
import { effort } from '../../support/effort.js';
import { refusalOf, throwsRefusal } from '../../support/app/given-home.js';
import { folderForEach } from '../../support/app/temporary-home.js';
import { membersOf } from '../../support/lists.js';

const token = { API_TOKEN: 'secret' };

describe('simulation settings', () => {
  it('have defaults', () => {
    const { islands, ...others } = requiredSettings(token);
    assert.deepEqual(others, {
      token: 'secret',
      home_tokens: false,
      port: 8000,
      rate_limit: 60,
      origins: '*',
      proxies: null,
    });
    assert.deepEqual(membersOf(islands, 'name'), ['main']);
  });

  it('are all read', () => {
    const env = {
      ...token,
      PORT: '0',
      API_RATE_LIMIT: '0',
      API_CORS_ORIGINS: ' https://a.example , http://localhost:5173,null',
      API_TRUSTED_PROXIES: ' 10.0.0.0/8, ::1',
      API_HOME_TOKENS: '1',
      AGI_ISLAND_BACKENDS: 'b=threads,a=threads:2',
    };
    const { islands, proxies, ...others } = requiredSettings(env);
    assert.deepEqual(
      ['10.1.2.3', '11.1.2.3', '::1', '::2', '::ffff:10.9.9.9', 'x'].map((address) => proxies?.has(address)),
      [true, false, true, false, true, false],
    );
    const origins = ['https://a.example', 'http://localhost:5173', 'null'];
    assert.deepEqual(others, { token: 'secret', home_tokens: true, port: 0, rate_limit: 0, origins });
    assert.deepEqual(membersOf(islands, 'name'), ['a', 'b']);
    assert.deepEqual(requiredSettings({ ...token, API_CORS_ORIGINS: '', API_RATE_LIMIT: '', PORT: '' }).origins, []);
  });

  it('are none without a token, and are refused where a simulation must be served', () => {
    assert.equal(simulationSettings({ PORT: 'x', API_RATE_LIMIT: 'x' }), null);
    assert.match(throwsRefusal(() => requiredSettings({}), 'invalid').detail, /^API_TOKEN: must be set/);
  });

  for (const [name, values] of Object.entries({
    API_TOKEN: [
      '',
      '  ',
      'changeme',
      'ChangeMe',
      'REPLACE_ME_TOKEN',
      ' changeme ',
      'two words',
      'ünsichtbar',
      'a\nb',
      'x'.repeat(1_025),
    ],
    PORT: ['x', '-1', '65536', '1.5', '0x10', '8000 ', '1e3'],
    API_RATE_LIMIT: ['x', '-1', '1000001', '60/min', '1.5', ' 5', '١'],
    API_CORS_ORIGINS: [
      'a.example',
      'https://a.example/',
      'https://a.example/x',
      '*,https://a.example',
      'HTTPS://a.example',
      'https://a.example:443',
    ],
    API_TRUSTED_PROXIES: ['x', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '10.0.0', Array(101).fill('::1').join(',')],
    AGI_ISLAND_BACKENDS: ['x', 'a=cuda', 'a=threads,a=threads', 'a=nats://x:1'],
  })) {
    for (const value of values) {
      it(`are refused, with the token hidden: ${name}=${JSON.stringify(value).slice(0, 40)}`, () => {
        const { errors, detail } = throwsRefusal(() => simulationSettings({ ...token, [name]: value }), 'invalid');
        assert.equal(errors?.[0]?.path, name);
        if (name === 'API_TOKEN' && value.trim() !== '') assert.equal(detail.includes(value), false);
        assert.equal(detail.includes('\n'), false);
      });
    }
  }

  it('are overridden by a port given as a flag', () => {
    const settings = requiredSettings({ ...token, PORT: '9000' });
    assert.equal(withPort(settings, undefined).port, 9000);
    assert.equal(withPort(settings, '0').port, 0);
    for (const flag of ['', 'x', '70000', '-1']) {
      const { detail } = throwsRefusal(() => withPort(settings, flag), 'invalid');
      assert.match(detail, /^port: must be an integer from 0 to 65535/);
    }
  });
});

describe('.env', () => {
  const folder = folderForEach();
  const read = (text: string): Record<string, string> => {
    const parsed = parseEnvFile(text);
    assert.ok(parsed instanceof Map, JSON.stringify(parsed));
    return Object.fromEntries<string>(parsed);
  };

  for (const [what, text, expected] of [
    ['nothing', '', {}],
    ['comments and blank lines', '# a\n\n  # b\r\n', {}],
    ['bare values', 'A=1\nB = two words \r\nC=\nexport D=4', { A: '1', B: 'two words', C: '', D: '4' }],
    ['a comment behind a value', 'A=1 # one\nB=#none\nC=a#b', { A: '1', B: '', C: 'a#b' }],
    ['quotes', `A="a # b" # c\nB='it"s \\n'\nC=\`x\``, { A: 'a # b', B: 'it"s \\n', C: 'x' }],
    ['escapes within "', 'A="a\\nb\\tc\\\\d"', { A: 'a\nb\tc\\\\d' }],
    ['several lines within quotes', 'A="one\n  two"\nB=3', { A: 'one\n  two', B: '3' }],
    ['equals signs', 'A=b=c\nB==', { A: 'b=c', B: '=' }],
    ['separators that are no ends of lines', "A='\u2028' # \u2029\nB=b # \u2028c", { A: '\u2028', B: 'b' }],
    ['the last of two', 'A=1\nA=2', { A: '2' }],
  ] as const) {
    it(what, () => assert.deepEqual(read(text), expected));
  }

  for (const [text, line, message] of [
    ['A=1\nB C\n', 2, 'is not NAME=value'],
    ['=1', 1, 'is not NAME=value'],
    ['1A=1', 1, 'is not NAME=value'],
    ['A-B=1', 1, 'is not NAME=value'],
    ['A=1\n\nB="x\nC=2', 3, 'the quote " is not closed'],
    ["A='x' y", 1, 'there is text after the closing quote'],
    ['A="x\ny" z', 2, 'there is text after the closing quote'],
  ] as const) {
    it(`is refused in line ${line} of ${JSON.stringify(text)}`, () => assert.deepEqual(parseEnvFile(text), { line, message }));
  }

  it('is read back from quotes unchanged', () => {
    const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/);
    const value = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !/['\r\n]/.test(text));
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (values) => {
        const text = Object.entries(values).map(([key, one]) => `${key}='${one}'\n`);
        assert.deepEqual(read(text.join('')), { ...values });
      }),
      { numRuns: 200 * effort },
    );
  });

  it('sets only our names, and the environment wins', () => {
    const names = ['API_TOKEN', 'API_RATE_LIMIT', 'PORT', 'ALERT_WEBHOOK_URL', 'SANDBOX_CPU_SEC', 'AGI_ISLAND_BACKENDS'];
    const others = 'PATH AGENT_HOME AGENT_PORT AGENT_LLM_KEY NODE_OPTIONS API XAPI_TOKEN api_token PORTS'.split(' ');
    const text = [...names, ...others].map((name) => `${name}=file\n`).join('');
    writeFileSync(join(folder.get(), '.env'), text);
    const env = simulationEnvironment({ API_TOKEN: '', PATH: 'real' }, folder.get());
    const expected = Object.fromEntries(names.slice(1).map((name) => [name, 'file']));
    assert.deepEqual(env, { ...expected, API_TOKEN: '', PATH: 'real' });
  });

  it('adds nothing when it is missing, and is refused with its path when it cannot be read', () => {
    const env = { PATH: 'x' };
    assert.equal(simulationEnvironment(env, folder.get()), env);
    const file = join(folder.get(), '.env');
    const refusal = () => refusalOf(() => simulationEnvironment(env, folder.get()));
    writeFileSync(file, 'A=1\nAPI_TOKEN secret\n');
    assert.equal(refusal()?.detail, `${file}, line 2: is not NAME=value`);
    writeFileSync(file, Buffer.from([0x41, 0x3d, 0xff]));
    assert.match(refusal()?.detail ?? '', /is not valid UTF-8$/);
    writeFileSync(file, 'A=1\n'.repeat(20_000));
    assert.equal(refusal()?.code, 'too_large');
    writeFileSync(file, '\uFEFFAPI_TOKEN=x');
    assert.equal(simulationEnvironment(env, folder.get())['API_TOKEN'], 'x');
    if (process.getuid?.() === 0) chownSync(file, 1, 1);
    if (process.getuid?.() === 0) assert.match(refusal()?.detail ?? '', /belongs to another user/);
    const other = join(folder.get(), 'other');
    mkdirSync(join(other, '.env'), { recursive: true });
    assert.throws(() => simulationEnvironment(env, other), /is not a file/);
    const linked = join(folder.get(), 'linked');
    mkdirSync(linked);
    symlinkSync('nowhere', join(linked, '.env'));
    assert.throws(() => simulationEnvironment(env, linked), /\.env cannot be read \(ENOENT\)/);
  });
});
