import { productName } from '../content.ts';
import { CommunityLink, LegalDocument, type LegalSection } from './legal-document.tsx';

export function TermsPage() {
  return (
    <LegalDocument
      title="Terms of Service"
      summary="Crypto is risky, treasury distributions are discretionary and not guaranteed, and you decide for yourself. The rest says so precisely."
      sections={termsSections}
    />
  );
}

/** Specification 2, Terms: eleven sections. */
const termsSections: readonly LegalSection[] = [
  {
    id: 'acceptance',
    title: 'Acceptance of Terms',
    body: (
      <>
        <p>
          These terms are an agreement between you and {productName} (“we”, “us”). By visiting this website, using one
          of our bots, or minting or holding an NFT of the {productName} collection (a “rock”), you accept them. If you
          do not accept them, please do none of these things.
        </p>
        <p>
          You must be old enough to enter into a binding agreement where you live, and may not use the service where
          doing so is against the law.
        </p>
      </>
    ),
  },
  {
    id: 'crypto-risk',
    title: 'Crypto Risk Disclaimer',
    body: (
      <>
        <p>
          <strong>Crypto assets are risky. You can lose everything you put in.</strong> Before you mint, buy or hold
          anything, understand at least this:
        </p>
        <ul>
          <li>Prices of tokens and NFTs move sharply and without warning, and can go to zero.</li>
          <li>There may be no buyer when you want to sell. A floor price is an asking price, not a promise.</li>
          <li>Transactions cannot be undone. A lost key, a wrong address or a malicious site cannot be reversed.</li>
          <li>Networks, wallets, marketplaces, exchanges and smart contracts can fail or be attacked.</li>
          <li>Laws and taxes differ from place to place and change. They are your responsibility.</li>
          <li>Leverage, as used in part of the treasury, makes losses larger and faster.</li>
        </ul>
        <p>
          Nothing on this website or from our bots is financial, investment, legal or tax advice, an offer of securities
          or a recommendation to buy or sell. Decide for yourself, and never spend more than you can afford to lose.
        </p>
      </>
    ),
  },
  {
    id: 'treasury-distributions',
    title: 'Treasury Distribution Disclaimer',
    body: (
      <>
        <p>
          We intend to share treasury revenue with the holders of rocks after the mint has ended.{' '}
          <strong>Treasury distributions are discretionary and not guaranteed.</strong> Whether one is made, when, how
          much and to whom is decided by the team, and may be changed, paused or ended at any time.
        </p>
        <ul>
          <li>
            A rock is a collectible. It is not a share, a deposit, a loan or a claim on the treasury, and gives no right
            to a payment, a vote or a refund.
          </li>
          <li>Plans, such as the fund allocation and the roadmap, are intentions. They can change.</li>
          <li>Past distributions and past results of the treasury say nothing about future ones.</li>
          <li>
            “Value per rock” and similar figures are arithmetic for comparison, not a price at which anybody buys.
          </li>
        </ul>
        <p>
          The treasury page shows what public sources say about the treasury wallet, with its source and age. It can be
          late, incomplete or wrong. Values marked as stale, estimated, declared by the team or sample figures are what
          those words say. It is not an audited financial statement.
        </p>
      </>
    ),
  },
  {
    id: 'service',
    title: 'Service Description',
    body: (
      <>
        <p>{productName} consists of</p>
        <ul>
          <li>a collection of 555 rock-themed NFTs on the SUI blockchain, minted through a third-party marketplace;</li>
          <li>this website, with information about the collection and a live view of the treasury;</li>
          <li>a group-chat bot that reports mints, sales, listings and bids of a collection;</li>
          <li>a community-server bot that gives a role to members who prove that they hold a rock.</li>
        </ul>
        <p>
          Parts of it are under development. We offer the service as it is and as it is available: it may change, be
          interrupted or end, and notifications may arrive late or not at all.
        </p>
      </>
    ),
  },
  {
    id: 'user-responsibilities',
    title: 'User Responsibilities',
    body: (
      <>
        <p>You agree</p>
        <ul>
          <li>to keep your wallet, keys and devices safe, and to check every transaction before you sign it;</li>
          <li>to obey the law that applies to you, including tax and sanctions law;</li>
          <li>not to attack, overload, probe or scrape the service in a way that disturbs others;</li>
          <li>not to pretend to be us, another holder or another collection;</li>
          <li>not to use the bots for spam, harassment or market manipulation;</li>
          <li>to set up a bot only where you are entitled to, such as in a group you administer.</li>
        </ul>
        <p>We may refuse the service to anyone who breaks these rules.</p>
      </>
    ),
  },
  {
    id: 'intellectual-property',
    title: 'Intellectual Property',
    body: (
      <>
        <p>
          The name {productName}, this website, its texts, its software and the artwork of the collection belong to us
          or to those who licensed them to us.
        </p>
        <p>
          While you own a rock you may show its image for personal purposes, for example as a profile picture, and to
          offer that rock for sale. This permission passes to the next owner with the rock. Other uses, in particular
          merchandise and anything that suggests that we endorse you, need our written consent.
        </p>
      </>
    ),
  },
  {
    id: 'limitation-of-liability',
    title: 'Limitation of Liability',
    body: (
      <>
        <p>
          As far as the law allows, the service is provided “as is”, without warranties of any kind, express or implied,
          including merchantability, fitness for a particular purpose, accuracy and non-infringement.
        </p>
        <p>
          As far as the law allows, neither {productName} nor the people who work on it are liable for indirect,
          incidental, special, consequential or punitive damages, or for lost profits, lost tokens, lost NFTs or lost
          data, arising from the service, from relying on figures or notifications, or from acts of third parties. Our
          total liability for any claim is limited to what you paid us directly in the twelve months before it arose.
        </p>
        <p>
          Some places do not allow some of these limits. There they apply as far as they may, and liability that cannot
          be excluded by law is not excluded here.
        </p>
      </>
    ),
  },
  {
    id: 'third-party-services',
    title: 'Third-Party Services',
    body: (
      <p>
        The service reads from and links to services that we do not run: the SUI network, marketplaces, block explorers,
        price sources, wallets, exchanges, the messenger and the social network. They have their own terms, fees and
        risks. We do not control them, do not vouch for them, and are not responsible for what they do or for what you
        do there. Reach them through the links on this website, and be wary of copies.
      </p>
    ),
  },
  {
    id: 'modifications',
    title: 'Modifications',
    body: (
      <p>
        We may change the service or these terms. The date at the top says when these terms last changed, and we
        announce changes that matter in the community. Changes apply from the moment they are published here. If you
        keep using the service after that, you accept them.
      </p>
    ),
  },
  {
    id: 'governing-law',
    title: 'Governing Law',
    body: (
      <p>
        These terms are governed by the laws of the United States, without regard to its conflict-of-law rules.
        Mandatory consumer protection of the place where you live stays untouched. If one provision turns out to be
        invalid, the others remain in force.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Questions about these terms reach us through <CommunityLink />. Try us before you try a court: most things can
        be settled around the fire.
      </p>
    ),
  },
];
