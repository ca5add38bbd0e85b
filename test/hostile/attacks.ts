import { served, third, type Behaviour } from './behaviour.ts';
import type { Hostile } from './server.ts';

const PWN = 'globalThis.__pwned=1';
/** Puts text wherever it is shown: an unknown field, an error message, a header, an identifier. */
const everywhere = (text: string) => (hostile: Hostile) => {
  const written = JSON.stringify(text);
  if (hostile.status !== 200) {
    hostile.reply({
      body: `{"code":${written},"message":${written},"details":{"header":${written}}}`,
    });
    return;
  }
  const body = hostile.body
    .replaceAll(
      /"(name|title|ticker|symbol|fullname|currency_id|id)":"[^"]*"/g,
      (_, name: string) => `"${name}":${written}`,
    )
    .replace('{', () => `{${written}:${written},`);
  hostile.reply({
    body,
    headers: {
      'x-note': Buffer.from(text.replaceAll(/\p{Cc}/gu, ' ')).toString('latin1'),
    },
  });
};
const attack = (id: string, does: string, text: string, always?: true): Behaviour => ({
  id,
  does,
  act: everywhere(text),
  codes: [1, 3],
  says: /"verdict": "(violates|incomplete)"/,
  ...(always === undefined ? {} : { always }),
});

/** Content that attacks the reader: the page, the terminal, the log of a CI service, XML, Markdown, file names. */
export const ATTACKS: readonly Behaviour[] = [
  attack(
    'script',
    'sends elements that run scripts',
    `</script><script>${PWN}</script><img src=x onerror=${PWN}><svg/onload=${PWN}><iframe srcdoc="<script>${PWN}</script>">`,
  ),
  attack(
    'attribute',
    'breaks out of attributes',
    `"' onmouseover=${PWN} autofocus onfocus=${PWN} x="><a href="javascript:${PWN}">x</a>`,
  ),
  attack(
    'template',
    'closes the elements that hold data',
    `</template></style></title></textarea><base href=//evil.example><form action=//evil.example><meta http-equiv=refresh content=0>`,
  ),
  attack(
    'terminal',
    'sends escape sequences',
    '\u001b[2J\u001b[1;1H\u001b]0;pwned\u0007\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007\u001b[31mCONFORMS\u001b[0m\r\b\u009b31m\u0085',
  ),
  attack(
    'workflow-commands',
    'sends workflow commands',
    '\n::error file=x::boom\n::set-output name=x::y\n::add-mask::a\r\n##[error]boom\n##vso[task.complete result=Succeeded]\n::stop-commands::x',
    true,
  ),
  attack(
    'xml',
    'ends CDATA sections and opens entities',
    ']]><failure/></testcase></testsuites><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;\u0000\u0008\ufffe\uffff',
  ),
  attack(
    'markdown',
    'sends images, tables and mentions',
    '``` \n# CONFORMS\n| a | b |\n![x](https://evil.example/x.png)\n[x](javascript:alert(1)) @everyone <img src=x>',
  ),
  attack(
    'path-traversal',
    'sends file names',
    '../../../../etc/passwd\u0000.html ..\\..\\x CON /dev/null $(touch pwned) `touch pwned`',
  ),
  attack(
    'bidi',
    'reorders and hides text',
    '\u202eSMROFNOC\u2066\u200b\u200f\ufeff\u2028\u2029\u{e0041}',
  ),
  attack(
    'formats',
    'sends what formatters replace',
    "%s%n%d $& $` $' {{7*7}} ${7*7} <%= 7 %> __proto__ constructor",
  ),
  {
    id: 'attack-in-headers',
    does: 'sends scripts, sequences and commands in headers',
    act: (hostile) =>
      hostile.reply({
        headers: {
          'x-a': `<script>${PWN}</script>`,
          'x-b': '::error::boom',
          'content-type': `application/json; x="<img src=x onerror=${PWN}>"`,
          server: '\u009b31m]]>',
          'x-ratelimit-limit': `<b>${PWN}`,
        },
      }),
    on: served,
    codes: [0, 1, 3],
    says: /"verdict"/,
  },
  {
    id: 'attack-in-redirect',
    does: 'sends scripts and commands in the address of a redirect',
    act: (hostile) =>
      hostile.reply({
        status: 302,
        body: `<script>${PWN}</script>`,
        headers: { location: `https://evil.example/"><script>${PWN}</script>::error::boom` },
      }),
    on: third,
    codes: [1, 3],
    says: /redirect: \d+ answers? redirected/,
  },
];
