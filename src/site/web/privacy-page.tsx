import { PageLink } from '../../ui/links.tsx';
import { productName } from '../content.ts';
import { CommunityLink, LegalDocument, type LegalSection } from './legal-document.tsx';

export function PrivacyPage() {
  return (
    <LegalDocument
      title="Privacy Policy"
      summary="No personal data is collected, except that the group-chat bot may store a messenger user ID and notification preferences."
      sections={privacySections}
    />
  );
}

/** Specification 2, Privacy: eight sections. */
export const privacySections: readonly LegalSection[] = [
  {
    id: 'introduction',
    title: 'Introduction',
    body: (
      <>
        <p>
          This policy says what {productName} (“we”, “us”) knows about you when you visit this website, read the
          treasury page or use our chat bots, and what we do with it. The short version: you can read everything here
          without telling us who you are.
        </p>
        <p>
          It covers this website, our group-chat tracker bot and our community-server bot. It does not cover the
          services we link to, such as the messenger, the social network, the marketplace or your wallet. Those have
          policies of their own.
        </p>
      </>
    ),
  },
  {
    id: 'information-we-collect',
    title: 'Information We Collect',
    body: (
      <>
        <p>
          <strong>We do not collect personal data.</strong> There are no visitor accounts, no newsletter, no analytics,
          no advertising and no tracking cookies on this website, and it loads nothing from third parties.
        </p>
        <p>
          There is one exception. <strong>The group-chat bot</strong> may store:
        </p>
        <ul>
          <li>
            a messenger user ID, the number the messenger gives an account, of a person who operates the bot or tries
            to;
          </li>
          <li>
            notification preferences: which events a group wants to hear about, with the ID and the title of the group
            and the collection it follows.
          </li>
        </ul>
        <p>
          It does not store your phone number, your contacts or the conversations of a group. A command waits in our
          database until it is answered, and for a day at most. Who changes a group’s settings is noted by messenger
          user ID, never by name, in the log of changes described below. What the bot does is described on{' '}
          <PageLink to="/telegram" className="link">
            its own page
          </PageLink>
          .
        </p>
        <p>Four more things, so that nothing surprises you:</p>
        <ul>
          <li>
            <strong>Public blockchain data.</strong> Wallet addresses, the public names of them, balances, NFTs and
            transactions on the SUI network are public. We read and show some of them. We do not collect them from you,
            and we do not try to find out who is behind an address. The team may name whose an address is that the
            treasury deals with; that name is public until the team removes it.
          </li>
          <li>
            <strong>What you link yourself.</strong> Proving in our community server that you hold a rock is voluntary.
            If you do, the bot keeps what it needs for that purpose: your member ID and display name on that server, the
            public wallet addresses you sign with, what was found in them, and when you asked for payout messages, if
            you did. The admins of this service see it; other members do not. It never asks for a private key or a seed
            phrase, and the signature is not a transaction.
          </li>
          <li>
            <strong>A log of changes.</strong> We record who changed a bot’s settings, linked a wallet or got or lost a
            role, with the time and the ID on that platform, and in a community server the display name, so that our
            administrators can fix mistakes. For each server the community-server bot is in, we also keep its name and
            the names of its roles and channels.
          </li>
          <li>
            <strong>What makes a website work.</strong> Your network address reaches our server with every request, as
            on any website. It is used to answer you and to fend off abuse, such as repeated sign-in attempts, and not
            to profile visitors. Only administrators sign in, and only they get cookies: one for the steps of a sign-in,
            one for the session, and one by which a browser that has signed in is recognized for 180 days. If you choose
            a light or dark appearance, that choice stays in your own browser.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'how-we-use-information',
    title: 'How We Use Information',
    body: (
      <>
        <p>What little is stored is used for four purposes only:</p>
        <ul>
          <li>to send a group the notifications it asked for, and not the ones it switched off;</li>
          <li>to make sure that only the admins of a group change that group’s settings;</li>
          <li>to give holders their role in a community server, and to take it away when they no longer hold one;</li>
          <li>to keep the bots and this website working, safe and free of abuse.</li>
        </ul>
        <p>
          We do not sell it, rent it or trade it. We do not use it for advertising, and we do not build profiles. We
          would disclose it only where the law compels us to.
        </p>
      </>
    ),
  },
  {
    id: 'data-storage-and-security',
    title: 'Data Storage and Security',
    body: (
      <>
        <p>
          Bot data is kept in the database of this service, which only the service and its administrators can reach.
          Settings can be changed only by people who are entitled to change them: the admins of a group for that group,
          and our administrators, whose passwords are stored as hashes, never as text. For administrators we also keep
          the passkeys and authenticator apps that prove who they are, recovery codes as hashes, and for each signed-in
          browser its kind, sign-in time and last use, until they end it or a week has passed. An amount that an
          administrator declares for the treasury is public with their user name.
        </p>
        <p>
          When the group-chat bot is removed from a group, its configuration is kept for 30 days, so that adding it back
          restores the settings. After that it is deleted.
        </p>
        <p>
          What a member of a community server has linked is kept until the member unlinks or deletes it, and the role
          the bot gave them until the bot has removed it; when the bot has left the server, both are deleted 30 days
          later. A verification link lasts 15 minutes and is deleted about a day later, with the platform user name it
          was made for. The note of when the bot wrote to a member is deleted after 90 days. It says which payout it was
          about, or that a role would be taken. The text of the message is deleted once it is sent or given up. The log
          of changes is kept for a year. When people delete their data in a community server, its entries lose name, ID
          and wallet at once, except for what they did as an admin there.
        </p>
        <p>
          What the bots posted, and the market events they posted about, are deleted after 90 days; what the group-chat
          bot answered, and what is left of a command, after about an hour, or after a day if it was never answered.
          Sign-in attempts are deleted once they no longer count, within a day. What is kept for good is public
          blockchain data with its addresses (movements, payouts and monthly statements of the treasury, the history of
          each rock) and the value of the treasury: for 90 days every hour of it, then one figure a day.
        </p>
        <p>
          No system is perfectly secure, and we do not claim that ours is. The best protection is the one we chose
          first: storing next to nothing. Nobody from {productName} will ever ask for your seed phrase or private key.
        </p>
      </>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your Rights',
    body: (
      <>
        <p>Wherever you live, you may ask us</p>
        <ul>
          <li>whether we store anything that belongs to you, and what it is;</li>
          <li>to correct it if it is wrong;</li>
          <li>to delete it, or to stop using it.</li>
        </ul>
        <p>
          Much of this you can do yourself: <code>/tracking</code> changes a group’s notification preferences and{' '}
          <code>/remove</code> ends its tracking. In a community server <code>/wallets</code> shows the wallets you
          linked, unlinks them, switches messages about payouts on and off, and with ‘Delete my data’ deletes what was
          kept about you there: the role is taken at once, and the log of changes keeps that something was done, but
          neither your name nor your ID nor a wallet. These stay: what you did as an admin of that server, such as
          setting the bot up, with your name and ID; what administrators authorized themselves, since a wallet that they
          put on a server’s list is their own decision; your ID beside the role while the community server does not let
          the bot take it, 90 days at most; and, where you are linked in another server too, the note of which payouts
          you were told of, so that no message comes twice. For everything else, ask us in the community; we will not
          charge you and will not ask for more data than we need to find yours.
        </p>
        <p>
          What is written on a public blockchain cannot be changed or deleted by anyone, and so not by us. Your local
          law, such as the GDPR or the CCPA, may give you further rights, among them a complaint to a data protection
          authority. Nothing here limits them.
        </p>
      </>
    ),
  },
  {
    id: 'children-under-13',
    title: 'Children Under 13',
    body: (
      <p>
        {productName} is not meant for children under 13, and we do not knowingly collect information from them. If you
        believe that a child under 13 has given us information, for example by operating the group-chat bot, tell us in
        the community and we will delete it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to This Policy',
    body: (
      <p>
        When what we do changes, this page changes first. The date at the top says when that last happened, and we
        announce changes that matter in the community. If you keep using the website or the bots after a change, the new
        version applies to you.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Questions about this policy, and requests about your data, reach us through <CommunityLink />. A moderator will
        take it to a private conversation: please do not post personal details in the open.
      </p>
    ),
  },
];
