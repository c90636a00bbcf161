//! Figures over many answers.

use plumbline::evaluate::share;

use super::judgement::Judgement;
use super::question::Form;

/// A property of answers that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    Answered,
    CitedFirst,
    ReadFirst,
    Read,
    Line,
    LineFirst,
    Quote,
    Contains,
    Count,
    CountedLines,
    Abstained,
    Resolves,
    Verbatim,
}

impl Figure {
    const ALL: [Figure; 13] = [
        Figure::Answered,
        Figure::CitedFirst,
        Figure::ReadFirst,
        Figure::Read,
        Figure::Line,
        Figure::LineFirst,
        Figure::Quote,
        Figure::Contains,
        Figure::Count,
        Figure::CountedLines,
        Figure::Abstained,
        Figure::Resolves,
        Figure::Verbatim,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Figure::Answered => "answerable and answered",
            Figure::CitedFirst => "right document cited first",
            Figure::ReadFirst => "right document read first",
            Figure::Read => "right document read",
            Figure::Line => "right file and line cited",
            Figure::LineFirst => "right file and line cited first",
            Figure::Quote => "quotes in the answer",
            Figure::Contains => "words in the answer",
            Figure::Count => "counts right",
            Figure::CountedLines => "counted lines cited",
            Figure::Abstained => "unanswerable and abstained",
            Figure::Resolves => "claims whose citations resolve",
            Figure::Verbatim => "claims that are words of theirs",
        }
    }
}

/// All figures, by form.
#[derive(Debug, Default)]
pub(super) struct Table {
    asked: [usize; Form::ALL.len()],
    marks: [[(usize, usize); Figure::ALL.len()]; Form::ALL.len()],
}

impl Table {
    pub(super) fn add(&mut self, form: Form, judged: &Judgement) {
        self.asked[form as usize] += 1;
        for (figure, part, whole) in &judged.marks {
            let (right, all) = &mut self.marks[form as usize][*figure as usize];
            *right += part;
            *all += whole;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.asked.iter().all(|asked| *asked == 0)
    }

    /// Returns a line for each figure that was measured, with a column for each form that was
    /// asked.
    pub(super) fn render(&self) -> Vec<String> {
        let forms: Vec<Form> =
            Form::ALL.into_iter().filter(|form| self.asked[*form as usize] > 0).collect();
        let line = |name: &str, cells: Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>16}")).collect();
            format!("{name:<33}  {}", cells.join("  "))
        };
        let headings = forms.iter().map(|form| heading(*form).to_owned()).collect();
        let asked = forms.iter().map(|form| self.asked[*form as usize].to_string()).collect();
        let mut lines = vec![line("", headings), line("asked", asked)];
        for figure in Figure::ALL {
            let marks: Vec<(usize, usize)> =
                forms.iter().map(|form| self.marks[*form as usize][figure as usize]).collect();
            if marks.iter().any(|(_, whole)| *whole > 0) {
                lines.push(line(figure.name(), marks.into_iter().map(cell).collect()));
            }
            if figure == Figure::Answered {
                let silent = forms.iter().map(|form| {
                    let (right, all) = self.marks[*form as usize][figure as usize];
                    cell((all - right, all))
                });
                lines.push(line("false abstentions", silent.collect()));
            }
        }
        lines
    }
}

fn heading(form: Form) -> &'static str {
    match form {
        Form::Whole => "questions",
        Form::Alone => "follow-ups",
        Form::Conversation => "and conversation",
        Form::Resolved => "resolved by hand",
    }
}

/// Formats a share, as `0.95 of 20`.
fn cell((part, whole): (usize, usize)) -> String {
    format!("{} of {whole}", share(part, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_in_their_order() {
        for (place, figure) in Figure::ALL.into_iter().enumerate() {
            assert_eq!(figure as usize, place, "{}", figure.name());
        }
    }

    #[test]
    fn each_figure_says_of_how_many() {
        let judged =
            |marks: &[(Figure, usize, usize)]| Judgement { marks: marks.into(), wrong: Vec::new() };
        let mut table = Table::default();
        table.add(Form::Whole, &judged(&[(Figure::Answered, 1, 1), (Figure::Quote, 1, 3)]));
        table.add(Form::Whole, &judged(&[(Figure::Answered, 0, 1), (Figure::Quote, 0, 1)]));
        table.add(Form::Resolved, &judged(&[(Figure::Abstained, 1, 1)]));
        insta::assert_snapshot!(table.render().join("\n"), @r"
                                                  questions  resolved by hand
        asked                                             2                 1
        answerable and answered                   0.50 of 2            - of 0
        false abstentions                         0.50 of 2            - of 0
        quotes in the answer                      0.25 of 4            - of 0
        unanswerable and abstained                   - of 0         1.00 of 1
        ");
    }
}
