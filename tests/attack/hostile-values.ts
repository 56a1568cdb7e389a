import * as fc from 'fast-check';

/** Texts that have broken other programs: each must be refused, or be treated as plain text. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  'rock\0',
  '\u{202E}kcor',
  '\uD800',
  '\uDFFFrock\uD834',
  '\u{FFFE}',
  '🗿'.repeat(60),
  'e\u0301'.repeat(90),
  'x'.repeat(40_000),
  "' or '1'='1' --",
  "1'; drop table users; --",
  '%27%20or%201=1',
  '\\',
  '$1',
  '%s%n%x',
  '${7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '@everyone <@&1> [click](https://evil.example)',
  '*_`[<b>',
  'rock\r\nSet-Cookie: session=stolen',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  '=1+1',
  '(a+)+$',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '00',
  '-1',
  '9'.repeat(18),
  '9'.repeat(19),
  '9223372036854775808',
  '18446744073709551616',
  `0x${'f'.repeat(64)}`,
  `0x2::sui::SUI<${'0x2::a::B<'.repeat(20)}`,
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
] as const;

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 250 }) },
);

const hostileNumbers = [
  0,
  -0,
  -1,
  0.5,
  1e-7,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  1e308,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
] as const;

/** Deep enough to overflow the stack of a recursive parser. */
const nested = (depth: number): unknown => {
  let value: unknown = 'rock';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { rock: value };
  return value;
};

/** Any JSON value, in place of a good one. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...hostileNumbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 1e9 }) },
  { weight: 1, arbitrary: fc.constantFrom(20, 500, 3_000).map(nested) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Names with a meaning in JavaScript, and other odd ones. */
export const hostileKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'isAdmin',
  '',
  '\0',
  'id',
);

/** Bodies that are not JSON, or not the JSON they look like. */
export const hostileBody: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      '{',
      '[',
      '"',
      'nul',
      '{"a":1,}',
      "{'a':1}",
      '{"a":1}{"a":2}',
      '{"username":"og","username":"ogg","password":"rock"}',
      '{"__proto__":{"isAdmin":true}}',
      '{"constructor":{"prototype":{"isAdmin":true}}}',
      '{"count":1e999}',
      '{"count":-0}',
      `{"count":${'9'.repeat(5_000)}}`,
      '['.repeat(20_000),
      '{"a":'.repeat(10_000),
      `"${'x'.repeat(70_000)}"`,
      '\uFEFF{}',
      'username=og&password=rock',
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
      '--rock\r\nContent-Disposition: form-data; name="count"\r\n\r\n1\r\n--rock--',
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from('{"count":1}', 'utf16le')),
  fc.constant(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
);

/** Extra header lines; the last two cases repeat a name. */
export const hostileHeaders: fc.Arbitrary<readonly (readonly [string, string])[]> = fc.constantFrom(
  [['If-Match', '*']],
  [['If-Match', `"${'9'.repeat(300)}"`]],
  [['If-Match', 'W/"1", "2"']],
  [['If-None-Match', '*']],
  [['If-None-Match', '"'.repeat(500)]],
  [['Accept-Encoding', `${'br;q=0.1,'.repeat(400)}gzip`]],
  [['Accept-Encoding', '*;q=0, identity;q=0']],
  [['Accept', 'text/html;q=NaN']],
  [['Range', 'bytes=0-,0-,0-,-1']],
  [['X-Forwarded-For', '127.0.0.1, ::1, evil, 999.1.1.1']],
  [['X-Forwarded-For', '<script>']],
  [['X-Forwarded-Host', 'evil.example']],
  [['X-Forwarded-Proto', 'gopher']],
  [['X-Request-Id', '../../etc/passwd']],
  [['X-Request-Id', 'x'.repeat(4_000)]],
  [['X-HTTP-Method-Override', 'DELETE']],
  [['Cookie', `session=${'x'.repeat(3_000)}`]],
  [['Cookie', '=; session; __proto__=1; session="%ff%"; ;;']],
  [['Origin', 'null']],
  [['Origin', 'http://localhost.evil.example']],
  [['Sec-Fetch-Site', 'cross-site']],
  [['Authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.']],
  [['Expect', '200-ok']],
  [['Content-Encoding', 'gzip']],
  [['Upgrade', 'h2c']],
  [
    ['Content-Type', 'application/json'],
    ['Content-Type', 'text/plain'],
  ],
  [
    ['X-Forwarded-For', '1.2.3.4'],
    ['X-Forwarded-For', 'fe80::1%eth0'],
  ],
);
