/** Any character that cannot be seen, other than a line feed: none may reach a report. */
export const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Text that has broken reports, terminals, logs or XML of other tools. */
export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '"><svg onload=alert(3)>',
  "' onmouseover='alert(4)",
  '</title></style></pre></textarea><h1>PASSED</h1>',
  '<!--',
  ']]><failure/>',
  '&lt;b&gt; &amp; &#60;',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u001b[2J\u001b[31mred\u009b31m',
  'a\rb\bc\u0000d\u007fe',
  '\n::set-env name=PATH::/evil',
  '\n::error file=x::boom',
  '\n##[error]boom ##vso[task.complete result=Succeeded]',
  "##teamcity[testFailed name='x']",
  '\u202egnp.exe\u2066\u200b\u2028\u2029\ufeff',
  '\ud800 lone \udc00 surrogates \uffff',
  '\u{e0041}\u{e0042}',
  '``` \n# heading\n| a | b |\n![x](https://evil.example/x.png) [y](javascript:alert(5))',
  '@everyone #1 https://evil.example www.evil.example',
  '[[ATTACHMENT|/etc/passwd]]',
  "'; rm -rf ~; echo '",
  '$(touch pwned) `id` ${HOME}',
  '__proto__',
  '',
];
