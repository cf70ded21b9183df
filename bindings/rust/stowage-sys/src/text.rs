// Made by scripts/generate-bindings.py from stowage_text.h. Do not edit.
//! The raw functions of `stowage_text.h`, with the feature `text`.

use core::ffi::c_char;

use crate::{stowage_buffer, stowage_error, stowage_limits, stowage_status};

unsafe extern "C" {
    pub fn stowage_explanation_to_text(
        bytes: *const u8,
        size: usize,
        plan: *const u8,
        plan_size: usize,
        report: *const u8,
        report_size: usize,
        limits: *const stowage_limits,
        text: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_instance_from_json(
        json: *const c_char,
        size: usize,
        limits: *const stowage_limits,
        instance: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_instance_to_json(
        bytes: *const u8,
        size: usize,
        limits: *const stowage_limits,
        json: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_operations_from_json(
        bytes: *const u8,
        size: usize,
        json: *const c_char,
        json_size: usize,
        limits: *const stowage_limits,
        operations: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_plan_from_json(
        bytes: *const u8,
        size: usize,
        json: *const c_char,
        json_size: usize,
        limits: *const stowage_limits,
        plan: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_plan_to_html(
        bytes: *const u8,
        size: usize,
        plan: *const u8,
        plan_size: usize,
        limits: *const stowage_limits,
        html: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_plan_to_json(
        bytes: *const u8,
        size: usize,
        plan: *const u8,
        plan_size: usize,
        limits: *const stowage_limits,
        json: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_plan_to_svg(
        bytes: *const u8,
        size: usize,
        plan: *const u8,
        plan_size: usize,
        limits: *const stowage_limits,
        svg: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
    pub fn stowage_plan_to_text(
        bytes: *const u8,
        size: usize,
        plan: *const u8,
        plan_size: usize,
        shown: u32,
        limits: *const stowage_limits,
        text: *mut stowage_buffer,
        error: *mut stowage_error,
    ) -> stowage_status;
}
