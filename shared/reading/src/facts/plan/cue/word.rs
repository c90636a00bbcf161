//! The words themselves, and how much each says.

use crate::facts::plan::Good;
use crate::facts::plan::Good::{Lesson, Precedent, Risk, Template};

/// How much a word says, in hundredths of a whole proof; what it says it of; the words, each with its blanks.
/// What is worth nothing hides shorter words that it contains.
pub(super) type Cues = [(Good, u32, &'static str)];

/// Words in what a passage says.
pub(super) const SAID: &Cues = &[
    (
        Template,
        0,
        "template argument|template parameter|template engine|template instantiation|template literal|\
         template string|template tag|template metaprogramming|class template|function template|pod template|\
         podtemplate|issue template|step by step|steps forward|step forward",
    ),
    (
        Template,
        100,
        "checklist for|use this template|fill in this|annotated outline|following checklist|following template|\
         standard outline|copy this template",
    ),
    (
        Template,
        60,
        "checklist|following steps|these steps|steps below|entrance criteria|exit criteria|\
         should include the following|must include the following|the plan includes|the plan should|\
         the plan defines|plan covers|following procedure|the following questions|criteria for the ",
    ),
    (Template, 20, "template|outline of|procedure|step 1|first step|next step|the plan "),
    (
        Risk,
        0,
        "might cause this alert|may cause this alert|can cause this alert|could cause this alert|risk patterns|\
         risk reduction|risk-informed|risk tolerance|risk analysis|risk posture|risk profile|risk framework|\
         risk assessment|risk management|attack surface|cannot be overstated|\
         threat model|limitations under the license|fail-safe|failsafe|failover|fail over|risk-based|low risk|\
         low-risk",
    ),
    (
        Risk,
        100,
        "risk of |a risk that|the risk that|risks that|risks:|risks are|risks of |riskiest|riskier|is risky|\
         risky |failure mode|drawback|downside|disadvantage|pitfall|gotcha|anti-pattern|antipattern|\
         what could go wrong|could go wrong|can go wrong|susceptible to|vulnerable to|single point of failure|\
         is dangerous|be dangerous|dangerous|could fail|may fail|might fail|can fail|will fail|could break|\
         can break|may break|might break|will break|could lead to|can lead to|may lead to|might lead to|\
         could result in|can result in|may result in|might result in|could cause|can cause|may cause|\
         might cause|data loss|deadlock|race condition|hazards|hazardous|attacker can |attacker could|\
         attacker may|attacker might|attackers can |attackers could|attackers may|attackers might|\
         attacker is able|adversely affect|adverse effect|negative consequence|unintended consequence|\
         serious consequence|caveat|potential for the|at risk|will not be able to|may not be able to|\
         might not be able to|not be able to|not work if|not work when|is exploitable|becomes exploitable|\
         potential hazard",
    ),
    (
        Risk,
        60,
        "warning**|significant challenges|challenges include|cannot be undone|irreversible|error-prone|a risk |\
         the risk |limitation|breaking change|cannot provide|loss of|will block|would break|unavailable",
    ),
    (
        Risk,
        45,
        "cause issues|cause problems|create issues|create problems|data corruption|be careful|careless|misuse|\
         flaky|confusing|outweigh|painful|may delay|unintentionally|missing data|risk|hazard|threat|downtime|\
         outage|the problem is that|disruption|disruptive|exhaustion|attackers|might not be|may not be|\
         vulnerabilit|attack|malicious|compromise of|constraint|degraded|degrade|degradation|exhaust|breaks |\
         could not be|losing |adverse|danger|fragile|unsafe|unfortunately|corruption|be inaccurate|be missing|\
         worse|harm|unreliable|costly",
    ),
    (Risk, 20, "concern|fail|cannot|damage|injur|impact|problem|expensive|latency|leak|missed"),
    (
        Lesson,
        0,
        "document lessons learned|lessons learned report|lessons learned data|lessons learned review|\
         lesson learned review|determine the root cause|identify the root cause|understand the root cause|\
         find the root cause|investigate the root cause|fix the root cause|address the root cause|machine learn|\
         learn more|lesson plan|read more",
    ),
    (
        Lesson,
        100,
        "lessons learned from|lesson learned from|lesson is|lessons from|lesson from|in hindsight|in retrospect|\
         retrospective showed|what went wrong|went wrong because|we learned|learned that|has taught|taught us|\
         experience has shown|experience shows|in our experience|should have been foreseen|\
         could have been avoided|could have been prevented|would have prevented|root cause was|\
         had been properly|past failures|turned out that|was a mistake|we had not|we should have been|\
         we should have done|we should not have|postmortem found|mishap",
    ),
    (Lesson, 80, "incidents happened|incident happened|lesson learned|lessons learned"),
    (
        Lesson,
        60,
        "review actions|contributing factor|contributed to|root cause of|the root cause|root cause|\
         primary cause|was caused by|were caused by|resulted in|resulted from|due to a lack|lack of|failure to|\
         was inadequate|were not aware|was not tested|recommend that|future projects|to prevent recurrence|\
         prevent this from happening|so that this does not happen|from happening again|next time|\
         should have been|would have been|we realized|we realised|past experience|have found that|we found that|\
         proved to|inadvertent|the anomaly|should not have|anomaly",
    ),
    (
        Lesson,
        30,
        "due to|because of|caused|failed|inadequate|should |recommend|damage|ensure|must|mistake|instead of|\
         improve|prevent|led to|did not",
    ),
    (
        Precedent,
        0,
        "to be decided|not yet decided|yet to decide|it is decided by|decision tree|decision-making",
    ),
    (
        Precedent,
        100,
        "we decided|we have decided|we've decided|was decided|it was decided|was the decision|decision is to|\
         decision was|we chose|we've chosen|we have chosen|we chose to|chosen option|we opted|we selected|\
         we adopted|we have adopted|was adopted|was rejected|were rejected|rejected because|is rejected|\
         we rejected|decided against|decided not to|decided to|superseded by|supersedes|superseded|\
         we considered|we migrated|we have migrated|we switched|we moved to|we replaced|previously decided|\
         has decided|we ruled out|discarded because|was discarded|previous rfc|previous proposal|\
         earlier proposal|previous proposals|original proposal|was previously proposed",
    ),
    (
        Precedent,
        60,
        "have been considered|considered and rejected|we propose|i propose|alternative is|alternatively, we|\
         an alternative|other alternative|alternative approach|another approach|prior art|case study|\
         notable work|existing solutions|we agreed|has been accepted|was accepted|were accepted|prior work|\
         for this reason, we|reached consensus|discussed upstream|previous attempt|previous approach|\
         was obsoleted|early versions of this|earlier versions of this|rationale for|why not |other languages|\
         the old mechanism",
    ),
    (
        Precedent,
        30,
        "we will|we'll|decision|decide|proposed|this proposes|approach|alternative|option |instead|existing|\
         we have |we use|we are |we'd |experiment|prefer|was discussed|was considered|were considered",
    ),
];

/// Words in a heading, a title or a file's name.
pub(super) const HEADED: &Cues = &[
    (Template, 0, "pod template|class template|template parameter"),
    (Template, 70, "checklist|template|outline|step-by-step|criteria for"),
    (
        Template,
        50,
        "mitigation|remediation|procedure|steps|step |recommended actions|playbook|what to do|action plan|\
         must do|questions to consider|key questions|release process",
    ),
    (
        Template,
        30,
        "diagnosis|resolution|troubleshoot|recovery|fix |fixing |restore|instructions|runbook|prerequisites|how to ",
    ),
    (Risk, 0, "consol|consul|risk management|risk assessment|impact analysis|fail-safe|failover"),
    (
        Risk,
        70,
        "risks and mitigation|trade-offs and mitigation|risk|drawback|downside|disadvantage|cons|pitfall|gotcha|\
         caveat|hazard|threat|failure mode|anti-pattern|antipattern|attack vector|attack|limitation|\
         exploitability|how can a rollout or rollback fail|vulnerability|vulnerabilities|danger|\
         what could go wrong|weakness|trade-offs|don't",
    ),
    (
        Risk,
        50,
        "impact|constraints|security considerations|challenges|common problems|known issues",
    ),
    (Risk, 30, "consequences|compatibility"),
    (Lesson, 0, "machine learning|learning resources"),
    (
        Lesson,
        70,
        "lesson|learnings|recommendation(s)|root cause|contributing factor|what went wrong|what went well|\
         where we got lucky|five whys|process improvements|technical improvements|documentation improvements|\
         how did this happen|what we learned",
    ),
    (
        Lesson,
        40,
        "retrospective|mistakes|conclusion|action items|future measures|summary|improvements|resolution|follow-up",
    ),
    (Lesson, 10, "driving event"),
    (Precedent, 0, "decision point|decision analysis|decision tree|decision making|decision log"),
    (
        Precedent,
        70,
        "alternatives|decision outcome|prior art|considered options|rejected|alternate|case stud|precedent|\
         options considered|alternative|other approaches|previous attempt|previous work|rationale and|\
         comparison with",
    ),
    (Precedent, 50, "decision|decided|options|option |prior work|related work|outcome"),
    (Precedent, 40, "rationale|consequences|acceptance"),
    (Precedent, 20, "why|proposal|implementation history"),
];
