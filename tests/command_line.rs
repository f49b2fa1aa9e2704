//! The command line as people and scripts use it: the real binary, its exit codes and what it prints.

mod command_line {
    mod deciding;
    mod gate;
    mod reading;
    mod serving;
}
