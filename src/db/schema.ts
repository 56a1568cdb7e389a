import type { ColumnType, GeneratedAlways } from 'kysely';

/** Made by `npm run schema-types` from the migrations: do not edit. */
type WithDefault<T> =
  T extends ColumnType<infer Read, infer Insert, infer Update>
    ? ColumnType<Read, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>;
/** Read as text: what does not fit into a number must not be rounded. */
type Int8 = ColumnType<string, string | number | bigint, string | number | bigint>;
/** Amounts in whole base units (connect.ts). */
type Numeric = ColumnType<bigint, string | number | bigint>;
/** Written as text; read as what its writer put there, so it is parsed. */
type Json = ColumnType<unknown, string>;

export interface Database {
  activityBacklogs: {
    trackedCollectionId: Int8;
    listener: string;
    firstEventId: Int8;
    since: Date;
  };
  activityEvents: {
    id: GeneratedAlways<string>;
    trackedCollectionId: Int8;
    eventKey: string;
    actionId: string;
    kind: 'mint' | 'sale' | 'listing' | 'bid' | 'transfer';
    type: string;
    transactionDigest: string | null;
    nftObjectId: string | null;
    nftName: string | null;
    nftImageUrl: string | null;
    nftRank: Int8 | null;
    priceMist: Numeric | null;
    foreignCoinType: string | null;
    foreignRawAmount: string | null;
    buyer: string | null;
    seller: string | null;
    marketName: string | null;
    happenedAt: Date;
    knownAt: WithDefault<Date>;
  };
  activityListeners: {
    name: string;
    isPaused: boolean;
  };
  auditEntries: {
    id: GeneratedAlways<string>;
    at: WithDefault<Date>;
    actorKind: 'admin' | 'user' | 'telegram' | 'discord' | 'system' | 'command';
    actorId: string | null;
    actorName: string;
    action: string;
    subjectKind: string;
    subjectId: string;
    subjectLabel: string;
    before: Json | null;
    after: Json | null;
  };
  coinMetadata: {
    network: string;
    coinType: string;
    found: boolean;
    decimals: number | null;
    symbol: string | null;
    name: string | null;
    iconUrl: string | null;
    readAt: Date;
  };
  collectionWatches: {
    trackedCollectionId: Int8;
    listener: string;
    watcher: string;
    createdAt: WithDefault<Date>;
  };
  discordAuthorizedWallets: {
    id: GeneratedAlways<string>;
    guildId: string;
    wallet: string;
    reason: string;
    expiresAt: Date | null;
    addedBy: string;
    addedAt: WithDefault<Date>;
    removedBy: string | null;
    removedAt: Date | null;
  };
  discordDirectMessages: {
    payout: number | null;
    userId: string;
    toldAt: WithDefault<Date>;
    id: GeneratedAlways<string>;
    guildId: string | null;
    content: string | null;
    dueAt: Date | null;
    failure: string | null;
  };
  discordGuildConfigs: {
    guildId: string;
    roleId: WithDefault<string>;
    channelId: string | null;
    nftContract: string;
    nftName: string;
    graceMinutes: WithDefault<number>;
    panelChannelId: string | null;
    panelMessageId: string | null;
    trackedCollectionId: Int8 | null;
    version: WithDefault<number>;
    updatedBy: string;
    createdAt: WithDefault<Date>;
    updatedAt: WithDefault<Date>;
    sweepDueAt: WithDefault<Date>;
    lastSweepAt: Date | null;
    lastSweep: Json | null;
  };
  discordGuilds: {
    guildId: string;
    name: string;
    memberCount: number | null;
    roles: WithDefault<Json>;
    channels: WithDefault<Json>;
    botPermissions: WithDefault<string>;
    botTopPosition: WithDefault<number>;
    leftAt: Date | null;
    updatedAt: WithDefault<Date>;
    unavailableSince: Date | null;
    rolesPausedUntil: Date | null;
    rolesPauseReason: string | null;
    rolesUnansweredSince: Date | null;
  };
  discordMemberRoles: {
    id: GeneratedAlways<string>;
    guildId: string;
    userId: string;
    roleId: string;
    givenAt: Date | null;
    wanted: 'grant-role' | 'remove-role' | null;
    cause: string | null;
    dueAt: Date | null;
    failure: string | null;
    changedAt: WithDefault<Date>;
  };
  discordMembers: {
    guildId: string;
    userId: string;
    displayName: string;
    isInGuild: WithDefault<boolean>;
    hasRole: boolean | null;
    roleState: WithDefault<'none' | 'holder' | 'doubt' | 'grace' | 'braked' | 'kept'>;
    firstNoAt: Date | null;
    secondNoAt: Date | null;
    removalDueAt: Date | null;
    answer: 'holds' | 'does-not-hold' | 'unknown' | null;
    answeredAt: Date | null;
    explanation: Json | null;
    checkDueAt: Date | null;
    checkCause: string | null;
    createdAt: WithDefault<Date>;
    payoutMessagesSince: Date | null;
    roleTakenAt: Date | null;
  };
  discordPosts: {
    id: GeneratedAlways<string>;
    guildId: string;
    channelId: string;
    content: string;
    state: WithDefault<'pending' | 'sending' | 'sent' | 'failed'>;
    dueAt: WithDefault<Date>;
    attempts: WithDefault<number>;
    isDoubtful: WithDefault<boolean>;
    reason: string | null;
    createdAt: WithDefault<Date>;
    doneAt: Date | null;
  };
  discordRemovalBatches: {
    id: GeneratedAlways<string>;
    guildId: string;
    holderCount: number;
    state: WithDefault<'waiting' | 'approved' | 'refused' | 'obsolete'>;
    createdAt: WithDefault<Date>;
    decidedAt: Date | null;
    decidedBy: string | null;
  };
  discordService: {
    onlyRow: WithDefault<boolean>;
    wanted: WithDefault<'active' | 'inactive'>;
    state: WithDefault<'inactive' | 'starting' | 'active' | 'failing'>;
    stateSince: WithDefault<Date>;
    botId: string | null;
    botUsername: string | null;
    lastError: string | null;
    lastErrorAt: Date | null;
  };
  discordVerifications: {
    tokenHash: Uint8Array;
    guildId: string;
    userId: string;
    displayName: string;
    expiresAt: Date;
    wallet: string | null;
    message: string | null;
    attempts: WithDefault<number>;
    state: WithDefault<'open' | 'verifying' | 'used' | 'closed'>;
    createdAt: WithDefault<Date>;
    userName: string | null;
  };
  discordWallets: {
    guildId: string;
    wallet: string;
    userId: string;
    scheme: string;
    linkedAt: WithDefault<Date>;
  };
  factorChallenges: {
    tokenHash: Uint8Array;
    userId: Int8;
    passkeyChallenge: string | null;
    sealedSecret: Uint8Array | null;
    attempts: WithDefault<number>;
    expiresAt: Date;
  };
  kioskCaps: {
    network: string;
    capId: string;
    kioskId: string;
    capKind: 'kiosk-owner-cap' | 'personal-kiosk-cap' | 'origin-byte-owner-token';
    learnedAt: WithDefault<Date>;
  };
  ledgerChanges: {
    network: string;
    treasuryAddress: string;
    digest: string;
    coinType: string;
    raw: Numeric;
    checkpoint: Int8;
    position: number;
    happenedAt: Date;
    pricePicoUsd: Numeric | null;
    priceAt: Date | null;
    priceSource: string | null;
    isPriced: WithDefault<boolean>;
  };
  ledgerCoins: {
    network: string;
    treasuryAddress: string;
    coinType: string;
    openingRaw: WithDefault<Numeric>;
    inRaw: Numeric;
    outRaw: Numeric;
    isKnown: boolean;
  };
  ledgerDayPrices: {
    network: string;
    treasuryAddress: string;
    coinType: string;
    day: number;
    pricePicoUsd: Numeric | null;
    priceAt: Date | null;
    priceSource: string | null;
  };
  ledgerEntries: {
    network: string;
    treasuryAddress: string;
    digest: string;
    checkpoint: Int8;
    position: number;
    happenedAt: Date;
    sender: string;
    kind:
      | 'mint-income'
      | 'nft-purchase'
      | 'nft-sale'
      | 'swap'
      | 'transfer-in'
      | 'transfer-out'
      | 'payout'
      | 'fee'
      | 'staking'
      | 'other';
    counterparty: string | null;
    gasMist: Int8;
    nftCount: number;
    isApart: boolean;
  };
  ledgerNfts: {
    network: string;
    treasuryAddress: string;
    digest: string;
    objectId: string;
    collectionType: string;
    direction: 'in' | 'out' | 'into-escrow' | 'out-of-escrow';
    checkpoint: Int8;
    position: number;
  };
  ledgerReadings: {
    network: string;
    treasuryAddress: string;
    chainId: string | null;
    coveredCheckpoint: Int8 | null;
    coveredAt: Date | null;
    isComplete: WithDefault<boolean>;
    knownSinceCheckpoint: Int8 | null;
    hasOpening: WithDefault<boolean>;
    kiosks: WithDefault<Json>;
    unexplainedCoins: number | null;
    unexplainedText: string | null;
    readAt: WithDefault<Date>;
    hasLeftOutKiosks: WithDefault<boolean>;
  };
  ledgerRecipients: {
    network: string;
    treasuryAddress: string;
    digest: string;
    coinType: string;
    address: string;
    raw: Numeric;
    checkpoint: Int8;
    position: number;
    happenedAt: Date;
  };
  loginAttempts: {
    key: Uint8Array;
    attempts: number;
    windowEndsAt: Date;
  };
  ownerAlarms: {
    alarm: string;
    isOn: boolean;
    since: Date;
    turningSince: Date | null;
  };
  ownerMessages: {
    id: GeneratedAlways<string>;
    text: string;
    createdAt: WithDefault<Date>;
    tellingSince: Date | null;
    toldAt: Date | null;
  };
  ownerNames: {
    network: string;
    address: string;
    name: string | null;
    readAt: Date;
  };
  parentFields: {
    network: string;
    fieldId: string;
    parentId: string;
    isKiosk: boolean;
    learnedAt: WithDefault<Date>;
  };
  payoutAnnouncements: {
    payout: number;
    kind: 'published' | 'paid';
    place: string;
    placeName: string;
    postId: Int8;
    askedAt: WithDefault<Date>;
    askedBy: string;
  };
  payoutTransactions: {
    id: GeneratedAlways<number>;
    network: string;
    treasuryAddress: string;
    payout: number;
    digest: string;
    bytes: Uint8Array;
    lines: readonly number[];
    objects: Json;
    chainId: string | null;
    builtCheckpoint: Int8;
    expiresEpoch: Int8;
    gasBudgetMist: Numeric;
    gasMist: Numeric;
    builtAt: WithDefault<Date>;
    builtBy: string;
    state: WithDefault<'waiting' | 'executed' | 'failed' | 'expired' | 'spent'>;
    executedAt: Date | null;
  };
  payouts: {
    id: GeneratedAlways<number>;
    network: string;
    treasuryAddress: string;
    title: string;
    reason: string;
    coinType: string;
    amountMode: 'total' | 'per-rock';
    amountRaw: Numeric;
    leftOut: WithDefault<Json>;
    snapshotAskedAt: Date | null;
    snapshotProblem: string | null;
    plan: string | null;
    sha256: string | null;
    publishedAt: Date | null;
    publishedBy: string | null;
    withdrawnAt: Date | null;
    withdrawnBy: string | null;
    withdrawnReason: string | null;
    updatedAt: WithDefault<Date>;
    updatedBy: string;
  };
  purgeRuns: {
    tableName: string;
    succeededAt: Date;
    purgedRows: WithDefault<Int8>;
  };
  recoveryCodes: {
    userId: Int8;
    handle: string;
    codeHash: string;
  };
  rockEvents: {
    network: string;
    collectionType: string;
    eventKey: string;
    objectId: string;
    kind: 'mint' | 'sale' | 'accepted-bid' | 'transfer' | 'listing' | 'burn';
    happenedAt: Date;
    priceMist: Numeric | null;
    sender: string | null;
    receiver: string | null;
    transactionDigest: string | null;
  };
  rockReadings: {
    network: string;
    collectionType: string;
    rocksAsOf: Date | null;
    historyAt: Date | null;
    historySkip: WithDefault<number>;
    isHistoryComplete: WithDefault<boolean>;
  };
  rocks: {
    network: string;
    collectionType: string;
    objectId: string;
    number: number;
    name: string | null;
    imageUrl: string | null;
    color: string | null;
    owner: string | null;
    place: 'wallet' | 'kiosk' | 'personal-kiosk' | 'escrow' | null;
    kioskId: string | null;
    listPriceMist: Numeric | null;
    listMarket: string | null;
    readAt: Date;
    isListed: WithDefault<boolean>;
  };
  schemaMigrations: {
    name: string;
    checksum: string;
    appliedAt: WithDefault<Date>;
  };
  secondFactors: {
    id: GeneratedAlways<string>;
    userId: Int8;
    kind: 'passkey' | 'authenticator';
    name: string;
    createdAt: Date;
    lastUsedAt: Date | null;
    credentialId: string | null;
    publicKey: Uint8Array | null;
    counter: Int8 | null;
    transports: readonly string[] | null;
    sealedSecret: Uint8Array | null;
    lastStep: Int8 | null;
  };
  sessions: {
    tokenHash: Uint8Array;
    userId: Int8;
    createdAt: Date;
    lastSeenAt: Date;
    idleExpiresAt: Date;
    expiresAt: Date;
    id: GeneratedAlways<string>;
    browser: string | null;
    confirmedAt: Date | null;
  };
  telegramChats: {
    chatId: Int8;
    kind: 'private' | 'group' | 'supergroup' | 'channel';
    title: string;
    isForum: WithDefault<boolean>;
    topicId: Int8 | null;
    botStatus: 'member' | 'administrator' | 'restricted' | 'left' | 'kicked';
    canSendMessages: WithDefault<boolean>;
    canSendPhotos: WithDefault<boolean>;
    removedAt: Date | null;
    limitedUntil: WithDefault<Date>;
    trouble: string | null;
    createdAt: WithDefault<Date>;
    updatedAt: WithDefault<Date>;
    topicState: WithDefault<'open' | 'closed' | 'gone'>;
  };
  telegramConfigurations: {
    id: GeneratedAlways<string>;
    chatId: Int8;
    trackedCollectionId: Int8;
    collectionId: string;
    collectionName: string;
    hexCollectionId: string | null;
    maxSupply: Int8 | null;
    trackMint: WithDefault<boolean>;
    trackSales: WithDefault<boolean>;
    trackListings: WithDefault<boolean>;
    trackBids: WithDefault<boolean>;
    mintedCount: WithDefault<Int8>;
    minPriceMist: Numeric | null;
    listingsAtFloorOnly: WithDefault<boolean>;
    quietFromMinute: number | null;
    quietToMinute: number | null;
    recapMinute: number | null;
    recappedUntil: WithDefault<Date>;
    version: WithDefault<number>;
    createdBy: string;
    createdAt: WithDefault<Date>;
    updatedAt: WithDefault<Date>;
    deletedAt: Date | null;
    deletedBy: string | null;
    followedSince: WithDefault<Date>;
    timeZone: WithDefault<string>;
  };
  telegramDeliveries: {
    chatId: Int8;
    eventId: Int8;
    messageId: Int8 | null;
    droppedReason: string | null;
    isHeld: WithDefault<boolean>;
    createdAt: WithDefault<Date>;
  };
  telegramImages: {
    imageUrlHash: Uint8Array;
    fileId: string | null;
    tryAgainAt: Date | null;
    updatedAt: WithDefault<Date>;
  };
  telegramInbox: {
    updateId: Int8;
    chatId: Int8;
    update: Json | null;
    receivedAt: WithDefault<Date>;
    attempts: WithDefault<number>;
    handledAt: Date | null;
  };
  telegramMessages: {
    id: GeneratedAlways<string>;
    chatId: Int8;
    configurationId: Int8 | null;
    topicId: Int8 | null;
    kind: 'card' | 'folded' | 'digest' | 'recap' | 'notice' | 'test' | 'reply';
    content: Json;
    eventCount: WithDefault<number>;
    state: WithDefault<'pending' | 'sending' | 'sent' | 'failed' | 'dropped'>;
    attempts: WithDefault<number>;
    form: WithDefault<'full' | 'without-picture' | 'plain'>;
    retriedAt: Date | null;
    isDoubtful: WithDefault<boolean>;
    reason: string | null;
    platformMessageId: Int8 | null;
    happenedAt: Date | null;
    createdAt: WithDefault<Date>;
    sentAt: Date | null;
    runningKey: string | null;
    runningUntil: Date | null;
  };
  telegramService: {
    onlyRow: WithDefault<boolean>;
    wanted: WithDefault<'active' | 'inactive'>;
    state: WithDefault<'inactive' | 'starting' | 'active' | 'failing'>;
    stateSince: WithDefault<Date>;
    botId: Int8 | null;
    botUsername: string | null;
    lastError: string | null;
    lastErrorAt: Date | null;
    webhookSecret: string | null;
  };
  telegramSetups: {
    chatId: Int8;
    topicId: Int8 | null;
    collectionId: string;
    found: Json;
    promptMessageId: Int8 | null;
    expiresAt: Date;
  };
  trackedCollections: {
    id: GeneratedAlways<string>;
    marketId: string;
    slug: string;
    name: string;
    imageUrl: string | null;
    isVerified: boolean;
    floorMist: Numeric | null;
    mintedCount: Int8 | null;
    ownerCount: Int8 | null;
    listedCount: Int8 | null;
    seededAt: Date | null;
    knownFrom: Date | null;
    cursorAt: Date | null;
    isBehind: WithDefault<boolean>;
    pollCount: WithDefault<Int8>;
    lastCheckedAt: Date | null;
    lastSucceededAt: Date | null;
    caughtUpAt: Date | null;
    failingSince: Date | null;
    failureReason: string | null;
    createdAt: WithDefault<Date>;
  };
  treasuryDeclaredAmounts: {
    network: string;
    treasuryAddress: string;
    slice: 'leveraged-trading' | 'operations';
    microUsd: Int8;
    updatedAt: Date;
    updatedBy: string;
  };
  treasuryHistory: {
    network: string;
    treasuryAddress: string;
    hour: Date;
    at: Date;
    totalMicroUsd: Numeric;
    tokenMicroUsd: Numeric | null;
    nftMicroUsd: Numeric | null;
  };
  treasuryLastGood: {
    network: string;
    treasuryAddress: string;
    reading: Json;
    readAt: Date;
    version: WithDefault<Int8>;
  };
  treasuryLedgerNames: {
    network: string;
    treasuryAddress: string;
    address: string;
    name: string;
    role: 'exchange' | 'marketplace' | 'team' | 'other';
    updatedAt: Date;
    updatedBy: string;
  };
  treasuryLedgerNotes: {
    network: string;
    treasuryAddress: string;
    digest: string;
    text: string;
    link: string | null;
    updatedAt: Date;
    updatedBy: string;
  };
  treasuryStatements: {
    network: string;
    treasuryAddress: string;
    month: string;
    body: string;
    sha256: string;
    entryCount: number;
    closingMicroUsd: Numeric;
    unpricedCoins: number;
  };
  users: {
    id: GeneratedAlways<string>;
    username: string;
    usernameKey: string;
    passwordHash: string;
    createdAt: Date;
    updatedAt: Date;
    rights: 'admin' | 'treasurer' | 'operator' | null;
    lastSignedInAt: Date | null;
  };
}
