import { describe, expect, it } from 'vitest';

import { type Config, readConfig } from './config.ts';

const required = { TREASURY_ADDRESS: '0xabc', COLLECTION_TYPE: '0x7::rocks::Nft' };

const configOf = (environment: Record<string, string>): Config => {
  const reading = readConfig({ ...required, ...environment });
  if (!reading.ok) throw new Error(reading.message);
  return reading.config;
};

const complaintsOf = (environment: Record<string, string | undefined>): string => {
  const reading = readConfig({ ...required, ...environment });
  return reading.ok ? '' : reading.message;
};

describe('the configuration (rulings R1)', () => {
  it('has the documented defaults', () => {
    expect(configOf({})).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:3000',
      TRUSTED_PROXIES: [],
      DATABASE_URL: null,
      DATA_DIR: './data',
      SESSION_SECRET: null,
      ADMIN_USERNAME: null,
      ADMIN_PASSWORD: null,
      SUI_NETWORK: 'mainnet',
      SUI_GRPC_URL: 'https://fullnode.mainnet.sui.io:443',
      SUI_ARCHIVE_URL: 'https://archive.mainnet.sui.io:443',
      SUI_GRPC_HEADERS: {},
      TREASURY_ADDRESS: `0x${'abc'.padStart(64, '0')}`,
      COLLECTION_TYPE: `0x${'7'.padStart(64, '0')}::rocks::Nft`,
      MARKET_API_URL: 'https://api.indexer.xyz/graphql',
      MARKET_API_USER: null,
      MARKET_API_KEY: null,
      PRICES_API_URL: 'https://coins.llama.fi',
      PRICES_FALLBACK_URL: 'https://api.geckoterminal.com',
      TELEGRAM_BOT_TOKEN: null,
      TELEGRAM_API_URL: 'https://api.telegram.org',
      TELEGRAM_MODE: 'polling',
      DISCORD_BOT_TOKEN: null,
      DISCORD_API_URL: 'https://discord.com/api',
      ALARM_CHAT: null,
      TRACKER_POLL_MIN_MS: 30_000,
      TRACKER_POLL_MAX_MS: 45_000,
      TREASURY_REFRESH_MS: 60_000,
      RECHECK_INTERVAL_MS: 3_600_000,
      LOG_LEVEL: 'info',
      METRICS_TOKEN: null,
      LINK_TELEGRAM: 'https://t.me/suirocks',
      LINK_X: 'https://x.com/suirocks',
      LINK_MARKETPLACE: 'https://www.tradeport.xyz/sui/collection/sui-rocks?bottomTab=trades&tab=items',
      LINK_MINT: 'https://www.tradeport.xyz/sui/collection/sui-rocks?tab=mint&bottomTab=trades',
      LINK_BOT: 'https://t.me/SuiRocksBot',
      EXPLORER_URL: 'https://suiscan.xyz/mainnet',
    });
  });

  it('follows PORT in PUBLIC_URL and SUI_NETWORK in the full node, its archive and the explorer', () => {
    const config = configOf({ PORT: '4100', SUI_NETWORK: 'testnet' });
    expect(config.PUBLIC_URL).toBe('http://localhost:4100');
    expect(config.SUI_GRPC_URL).toBe('https://fullnode.testnet.sui.io:443');
    expect(config.EXPLORER_URL).toBe('https://suiscan.xyz/testnet');
    expect(config.SUI_ARCHIVE_URL).toBe('https://archive.testnet.sui.io:443');
    const local = configOf({ SUI_NETWORK: 'localnet' });
    expect(local.SUI_GRPC_URL).toBe('http://127.0.0.1:9000');
    expect(local.SUI_ARCHIVE_URL).toBeNull();
    expect(configOf({ EXPLORER_URL: 'https://explorer.example/sui/' }).EXPLORER_URL).toBe(
      'https://explorer.example/sui',
    );
  });

  it('treats an empty variable as unset and ignores unknown ones', () => {
    expect(configOf({ PORT: '', HOST: ' ', SOMETHING_ELSE: 'x' }).PORT).toBe(3000);
  });

  it('refuses an impossible HOST, together with anything else that is wrong', () => {
    expect(complaintsOf({ HOST: 'a b', PORT: '0' })).toContain('HOST must be a host name or an IP address');
    expect(configOf({ HOST: '::1' }).HOST).toBe('::1');
  });

  it('keeps origins and base addresses without a trailing slash', () => {
    expect(configOf({ PUBLIC_URL: 'https://Sui.Rocks/' }).PUBLIC_URL).toBe('https://sui.rocks');
    expect(configOf({ PRICES_API_URL: 'http://127.0.0.1:9/x/' }).PRICES_API_URL).toBe('http://127.0.0.1:9/x');
  });

  it('refuses a service address that ends with a query: a path after it would be lost in the query', () => {
    const message = complaintsOf({ SUI_GRPC_URL: 'https://sui.example/?key=k', PRICES_API_URL: 'https://prices#x' });
    const sentence =
      'must be an address that begins with https:// or http://, without username, password, query or fragment.';
    expect(message).toContain(`SUI_GRPC_URL ${sentence}`);
    expect(message).toContain('PRICES_API_URL must be an address');
    expect(complaintsOf({ SUI_GRPC_URL: 'fullnode.mainnet.sui.io:443' })).toContain(`SUI_GRPC_URL ${sentence}`);
    expect(complaintsOf({ EXPLORER_URL: 'https://explorer.example/sui?z=1' })).toMatch(
      /EXPLORER_URL must be .* without query or fragment\./,
    );
  });

  it('reads header objects with lower-case names', () => {
    expect(configOf({ SUI_GRPC_HEADERS: '{"X-Api-Key":"k"}' }).SUI_GRPC_HEADERS).toEqual({ 'x-api-key': 'k' });
  });

  it('refuses keys and headers that no request can carry, such as the … from an example', () => {
    const message = complaintsOf({
      SUI_GRPC_HEADERS: '{"x-api-key":"…"}',
      MARKET_API_USER: 'm…',
      MARKET_API_KEY: 'schlüssel',
      TELEGRAM_BOT_TOKEN: '123:ABC…',
      DISCORD_BOT_TOKEN: 'MTIz…',
      METRICS_TOKEN: 'métriques',
    });
    expect(message).toContain('6 variables are wrong');
    expect(message).toContain('SUI_GRPC_HEADERS must be a JSON object of header names and texts');
    expect(message.match(/to 500 characters of plain ASCII/g)).toHaveLength(5);
    expect(configOf({ SUI_GRPC_HEADERS: '{"x-api-key":"a b"}' }).SUI_GRPC_HEADERS).toEqual({ 'x-api-key': 'a b' });
  });

  it('lists every bad variable in one message, with what is expected', () => {
    const message = complaintsOf({
      PORT: '70000',
      PUBLIC_URL: 'sui.rocks',
      SUI_NETWORK: 'moonnet',
      SUI_GRPC_HEADERS: '[1]',
      TREASURY_ADDRESS: '0xzz',
      COLLECTION_TYPE: undefined,
      LINK_X: 'javascript:alert(1)',
    });
    expect(message.split('\n')).toEqual([
      'The configuration is not usable. 7 variables are wrong:',
      '  PORT must be a whole number from 1 to 65535.',
      '  PUBLIC_URL must be an origin such as https://example.com, without a path.',
      '  SUI_NETWORK must be one of mainnet, testnet, devnet, localnet.',
      '  SUI_GRPC_HEADERS must be a JSON object of header names and texts such as {"x-api-key":"…"}.',
      '  TREASURY_ADDRESS must be the Sui address of the public treasury wallet.',
      '  COLLECTION_TYPE is missing: it must be the Sui type of the collection, such as 0x2::rocks::Nft.',
      '  LINK_X must be an address that begins with https:// (http:// on this machine only).',
    ]);
  });

  it('says what a value must be', () => {
    const message = complaintsOf({
      PORT: 'web',
      PUBLIC_URL: 'ftp://sui.rocks',
      PRICES_API_URL: 'ftp://prices',
      ADMIN_USERNAME: 'x',
      ADMIN_PASSWORD: 'cave',
    });
    expect(message.split('\n').slice(1)).toEqual([
      '  PORT must be a whole number from 1 to 65535.',
      '  PUBLIC_URL must be an origin such as https://example.com, without a path.',
      '  ADMIN_USERNAME must be one line of 2 to 64 characters.',
      '  PRICES_API_URL must be an address that begins with https:// or http://, without username, password, query or fragment.',
    ]);
  });

  it('never repeats a value in its message', () => {
    const secret = 'hunter2-secret';
    const message = complaintsOf({
      SESSION_SECRET: secret,
      SUI_GRPC_HEADERS: secret,
      DATABASE_URL: `mysql://root:${secret}@db/x`,
      MARKET_API_URL: `https://user:${secret}@host`,
      PORT: secret,
    });
    expect(message).toContain('5 variables are wrong');
    expect(message).not.toContain(secret);
  });

  it('requires a session secret of 32 characters as soon as DATABASE_URL is set', () => {
    const database = { DATABASE_URL: 'postgresql://me@db/rocks' };
    expect(complaintsOf(database)).toContain('SESSION_SECRET is missing');
    expect(complaintsOf({ ...database, SESSION_SECRET: 'x'.repeat(31) })).toContain(
      'SESSION_SECRET must be one line of 32 to 500 characters.',
    );
    expect(configOf({ ...database, SESSION_SECRET: 'x'.repeat(32) }).SESSION_SECRET).toBe('x'.repeat(32));
  });

  it('requires the admin name and password together', () => {
    expect(complaintsOf({ ADMIN_USERNAME: 'chief' })).toContain('ADMIN_PASSWORD is missing');
    expect(complaintsOf({ ADMIN_PASSWORD: 'cave' })).toContain('ADMIN_USERNAME is missing');
    expect(complaintsOf({ ADMIN_USERNAME: 'chief', ADMIN_PASSWORD: 'abc' })).toContain(
      'ADMIN_PASSWORD must be one line of 4',
    );
    expect(configOf({ ADMIN_USERNAME: 'chief', ADMIN_PASSWORD: 'cave' })).toMatchObject({
      ADMIN_USERNAME: 'chief',
      ADMIN_PASSWORD: 'cave',
    });
  });

  it('refuses a longest poll interval below the shortest', () => {
    const sentence = 'TRACKER_POLL_MAX_MS must be at least TRACKER_POLL_MIN_MS (30000 when unset).';
    expect(complaintsOf({ TRACKER_POLL_MIN_MS: '900', TRACKER_POLL_MAX_MS: '800' })).toContain(sentence);
    expect(complaintsOf({ TRACKER_POLL_MAX_MS: '20000' })).toContain(sentence);
    expect(configOf({ TRACKER_POLL_MIN_MS: '60000' }).TRACKER_POLL_MAX_MS).toBe(60_000);
  });

  it('accepts proxies to trust, and refuses invalid ones and networks that include nearly everyone', () => {
    const trusted = '172.16.0.0/12, 10.0.0.7,fd00::/8';
    expect(configOf({ TRUSTED_PROXIES: trusted }).TRUSTED_PROXIES).toEqual(['172.16.0.0/12', '10.0.0.7', 'fd00::/8']);
    for (const wrong of ['proxy.example.com', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.7,', 'loopback']) {
      expect(complaintsOf({ TRUSTED_PROXIES: wrong })).toContain('TRUSTED_PROXIES must be addresses');
    }
    for (const tooWide of ['0.0.0.0/0', '::/0', '10.0.0.7, 0.0.0.0/1']) {
      expect(complaintsOf({ TRUSTED_PROXIES: tooWide })).toContain('TRUSTED_PROXIES must be addresses');
    }
  });

  it("accepts the chat for alarms, with its platform's token", () => {
    const chatOf = (chat: string, token: string) => configOf({ ALARM_CHAT: chat, [token]: 'x' }).ALARM_CHAT;
    expect(chatOf('telegram:-1001234567890', 'TELEGRAM_BOT_TOKEN')).toBe('telegram:-1001234567890');
    expect(chatOf('discord:700000000000000001', 'DISCORD_BOT_TOKEN')).toBe('discord:700000000000000001');
    expect(complaintsOf({ ALARM_CHAT: 'discord:700000000000000001' })).toContain('DISCORD_BOT_TOKEN is missing');
    for (const wrong of ['@rocks', 'telegram:', 'telegram:0', 'telegram:@name', 'discord:-7', 'Discord:1', 'slack:1'])
      expect(complaintsOf({ ALARM_CHAT: wrong }).split('\n').slice(1)).toEqual([
        '  ALARM_CHAT must be telegram:<chat id> or discord:<channel id>, where the id is a number.',
      ]);
  });

  it('allows plain http links on this machine only', () => {
    expect(configOf({ LINK_X: 'http://localhost:3000/x' }).LINK_X).toBe('http://localhost:3000/x');
    expect(complaintsOf({ LINK_X: 'http://example.com' })).toContain('LINK_X');
  });
});
